// The library in a worker.
import "cipherlane/worker";
