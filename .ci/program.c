/* What a user of the installed C library writes. */
#include <gelu_ufunc.h>
#include <stdio.h>

int main(void)
{
    float x[3] = {-1, 0, 1};
    gelu_f32(x, x, 3);
    printf("gelu(-1, 0, 1) = %g %g %g\n", (double)x[0], (double)x[1], (double)x[2]);
    return !(x[0] < -0.158f && x[0] > -0.159f && x[1] == 0 && x[2] > 0.841f && x[2] < 0.842f);
}
