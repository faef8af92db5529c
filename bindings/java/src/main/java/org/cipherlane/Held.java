package org.cipherlane;

import java.util.function.LongConsumer;

/** An object of the native half, freed when nothing can reach this any more. */
final class Held {
    final long handle;

    /** What holds the object that was made in the place of `now`'s: the same, if it is there. */
    static Held renewed(Held now, long handle, LongConsumer free) {
        return now != null && now.handle == handle ? now : new Held(handle, free);
    }

    /** The handle, or 0 where there is no object yet. */
    static long handle(Held held) {
        return held == null ? 0 : held.handle;
    }

    Held(long handle, LongConsumer free) {
        this.handle = Native.own(this, handle, free);
    }
}
