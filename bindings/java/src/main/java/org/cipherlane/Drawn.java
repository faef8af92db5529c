package org.cipherlane;

import java.security.SecureRandom;

/** Random bytes. */
final class Drawn {
    private Drawn() {}

    /** Made once: a generator of its own for each object would cost more than the cipher. */
    private static final class Usual {
        static final SecureRandom RANDOM = new SecureRandom();
    }

    /** Fills from what was given, else from the system's generator. */
    static void fill(byte[] bytes, SecureRandom given) {
        (given == null ? Usual.RANDOM : given).nextBytes(bytes);
    }
}
