package org.cipherlane;

import java.security.spec.AlgorithmParameterSpec;

/**
 * The length of a MAC's tags, and its IV where it takes one:
 * {@code mac.init(key, new MacParameterSpec(64))} makes an SM4-CMAC with tags of 8 bytes.
 * Without it tags have their full length.
 */
public final class MacParameterSpec implements AlgorithmParameterSpec {
    private final int tagBits;
    private final byte[] iv;

    /**
     * For a MAC without an IV.
     *
     * @param tagBits the length of a tag in bits
     */
    public MacParameterSpec(int tagBits) {
        this(tagBits, new byte[0]);
    }

    /**
     * For a MAC with an IV.
     *
     * @param tagBits the length of a tag in bits
     * @param iv the IV, which may serve one message
     */
    public MacParameterSpec(int tagBits, byte[] iv) {
        this.tagBits = tagBits;
        this.iv = iv.clone();
    }

    /** The length of a tag in bits. */
    public int getTLen() {
        return tagBits;
    }

    /** A copy of the IV; empty where there is none. */
    public byte[] getIV() {
        return iv.clone();
    }
}
