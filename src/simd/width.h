/* Notation for code that both widths share. A file of such code begins with this header, ends with
   end_width.h, and is included with W = 32 and with W = 64: AT(name) is name32 or name64, F(add) is
   f32_add or f64_add, and likewise I and M. */
#define AT(name) JOIN(name, W)
#define F(operation) JOIN(JOIN(f, W), _##operation)
#define I(operation) JOIN(JOIN(i, W), _##operation)
#define M(operation) JOIN(JOIN(m, W), _##operation)

#define VF AT(vf)
#define VI AT(vi)
#define VM AT(vm)
#define NUMBER AT(number)
#define WORD JOIN(JOIN(uint, W), _t)

#define LANES JOIN(JOIN(F, W), _LANES)
#define SIGN_BIT AT(SIGN_BIT_)
#define FRACTION_BITS AT(FRACTION_BITS_)
#define BIAS AT(BIAS_)
#define TO_INTEGER AT(TO_INTEGER_)
