package org.cipherlane;

import java.security.ProviderException;
import java.util.Arrays;

/** Bytes that are collected; their memory is kept for the next message. */
final class Kept {
    /** Names how many bytes of a message are collected at most. */
    static final String MOST = "org.cipherlane.mostCollected";

    private final int most;
    byte[] bytes = new byte[64];
    int length;

    Kept() {
        this(Integer.getInteger(MOST, Integer.MAX_VALUE));
    }

    Kept(int most) {
        // An array has no more.
        this.most = Math.min(most, Integer.MAX_VALUE - 64);
    }

    void add(byte[] data, int offset, int count) {
        long needed = (long) length + count;
        if (needed > most) {
            throw new ProviderException(needed + " bytes in pieces; allowed: " + most
                    + " (-D" + MOST + "), or the whole message in one call of doFinal");
        }
        if (count > bytes.length - length) {
            byte[] old = bytes;
            bytes = Arrays.copyOf(old, (int) Math.min(Math.max(2L * old.length, needed), most));
            Arrays.fill(old, 0, length, (byte) 0);
        }
        System.arraycopy(data, offset, bytes, length, count);
        length += count;
    }

    /**
     * Forgets the bytes. After calls of two threads at once the length may be another array's; the
     * next message must begin all the same.
     */
    void clear() {
        byte[] own = bytes;
        int count = length;
        length = 0;
        Arrays.fill(own, 0, Math.min(Math.max(count, 0), own.length), (byte) 0);
    }
}
