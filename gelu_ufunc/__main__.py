import sys

from gelu_ufunc._cli import main

if __name__ == "__main__":
    sys.exit(main())
