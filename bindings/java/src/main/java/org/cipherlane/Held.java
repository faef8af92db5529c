package org.cipherlane;

import java.util.function.LongConsumer;

/** An object of the native half, freed when nothing can reach this any more. */
final class Held {
    final long handle;

    Held(long handle, LongConsumer free) {
        this.handle = Native.own(this, handle, free);
    }
}
