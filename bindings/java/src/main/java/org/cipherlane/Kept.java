package org.cipherlane;

import java.nio.ByteBuffer;
import java.security.ProviderException;
import java.util.Arrays;

/** Bytes that are collected; their memory is kept for the next message. */
final class Kept {
    /** Names how many bytes of a message are collected at most. */
    static final String MOST = "org.cipherlane.mostCollected";

    /** Read once: looked up for each object it would cost as much as a short message. */
    private static final int USUAL = Integer.getInteger(MOST, Integer.MAX_VALUE);
    private static final byte[] NOTHING = {};
    private static final int FIRST = 64;

    private final int most;
    byte[] bytes = NOTHING;
    int length;

    Kept() {
        this(USUAL);
    }

    Kept(int most) {
        // An array has no more.
        this.most = Math.min(most, Integer.MAX_VALUE - 64);
    }

    void add(byte[] data, int offset, int count) {
        make(count);
        System.arraycopy(data, offset, bytes, length, count);
        length += count;
    }

    /** All that remains of a buffer. */
    void add(ByteBuffer data) {
        int count = data.remaining();
        make(count);
        data.get(bytes, length, count);
        length += count;
    }

    /** Room for so many more. */
    private void make(int count) {
        long needed = (long) length + count;
        if (needed > most) {
            throw new ProviderException(needed + " bytes in pieces; allowed: " + most
                    + " (-D" + MOST + "), or the whole message in one call of doFinal");
        }
        if (count > bytes.length - length) {
            byte[] old = bytes;
            long room = Math.max(Math.max(2L * old.length, FIRST), needed);
            bytes = Arrays.copyOf(old, (int) Math.min(room, most));
            Arrays.fill(old, 0, length, (byte) 0);
        }
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
