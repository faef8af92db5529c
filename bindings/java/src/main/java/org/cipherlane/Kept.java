package org.cipherlane;

import java.util.Arrays;

/** Bytes that are collected; their memory is kept for the next message. */
final class Kept {
    byte[] bytes = new byte[64];
    int length;

    void add(byte[] data, int offset, int count) {
        if (count > bytes.length - length) {
            long wanted = Math.max(2L * bytes.length, (long) length + count);
            if ((long) length + count > Integer.MAX_VALUE - 64) {
                throw new OutOfMemoryError("a message longer than an array");
            }
            byte[] old = bytes;
            bytes = Arrays.copyOf(old, (int) Math.min(wanted, Integer.MAX_VALUE - 64));
            Arrays.fill(old, 0, length, (byte) 0);
        }
        System.arraycopy(data, offset, bytes, length, count);
        length += count;
    }

    /** Forgets the bytes. */
    void clear() {
        Arrays.fill(bytes, 0, length, (byte) 0);
        length = 0;
    }
}
