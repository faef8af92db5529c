package org.cipherlane.sequences;

import java.security.SecureRandom;

/** Gives every provider the same bytes. */
final class FixedRandom extends SecureRandom {
    private static final long serialVersionUID = 1;
    private byte next;

    @Override
    public void nextBytes(byte[] bytes) {
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = next++;
        }
    }
}
