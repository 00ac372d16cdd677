"""What is approximated, in high precision: shared by the scripts beside this one.

a is |x|. A value is relu(x) - h(a), a derivative D(a) for x < 0 and 1 - D(a) for x > 0.
"""

from mpmath import mp, mpf

mp.dps = 60

K1 = 2 * mp.sqrt(2 / mp.pi)
K3 = mpf("0.044715") * K1  # tanh form: x sigma(v), v = K1 x + K3 x^3


def density(a):
    """phi, of the standard normal distribution."""
    return mp.exp(-a * a / 2) / mp.sqrt(2 * mp.pi)


def upper_tail(a):
    """Q = 1 - Phi, of the standard normal distribution."""
    return mp.erfc(a / mp.sqrt(2)) / 2


def gelu_value(a):
    return a * upper_tail(a)


def gelu_derivative(a):
    return upper_tail(a) - a * density(a)


def mills_ratio(a):
    """Mills' ratio Q(a)/phi(a), over sqrt(2 pi)."""
    return upper_tail(a) * mp.exp(a * a / 2)


def gelu_tanh_argument(a):
    """v(a)"""
    return K1 * a + K3 * a**3


def logistic_value(v):
    """h(a) = a s, s = sigma(-v(a)), of x sigma(v(x))."""
    return lambda a: a / (1 + mp.exp(v(a)))


def logistic_derivative(v, slope):
    """D(a) = s - a v'(a) s (1 - s)."""

    def derivative(a):
        s = 1 / (1 + mp.exp(v(a)))
        return s - a * slope(a) * s * (1 - s)

    return derivative


gelu_tanh_value = logistic_value(gelu_tanh_argument)
gelu_tanh_derivative = logistic_derivative(gelu_tanh_argument, lambda a: K1 + 3 * K3 * a * a)


SIGMOID_SCALE = mpf("1.702")


def scaled(k):
    """v(a) = k a, of the sigmoid form and of SiLU (k = 1), and its derivative."""
    return lambda a: k * a, lambda a: k


gelu_sigmoid_value = logistic_value(scaled(SIGMOID_SCALE)[0])
gelu_sigmoid_derivative = logistic_derivative(*scaled(SIGMOID_SCALE))
silu_value = logistic_value(scaled(1)[0])
silu_derivative = logistic_derivative(*scaled(1))


def root(derivative):
    """Where D is 0: the minimum of the value, for x = -a."""
    return mp.findroot(derivative, 0.9)
