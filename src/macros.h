/* Macros about macros and arrays, for any file. */
#ifndef GELU_MACROS_H
#define GELU_MACROS_H

/* The arguments are expanded first. */
#define TEXT(x) TEXT_(x)
#define TEXT_(x) #x
#define JOIN(a, b) JOIN_(a, b)
#define JOIN_(a, b) a##b

#define COUNT(array) (sizeof(array) / sizeof *(array))

#endif
