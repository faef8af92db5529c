package org.cipherlane;

import javax.crypto.spec.IvParameterSpec;

/**
 * What a packet of LTE or 5G is known by, as the IV of one of 3GPP's algorithms:
 *
 * <pre>
 * cipher.init(Cipher.ENCRYPT_MODE, key,
 *         Air3gppParameterSpec.eea3(0x66035492L, 15, Direction.UPLINK));
 * </pre>
 *
 * <p>Each algorithm makes another IV of the same COUNT, BEARER and DIRECTION; a cipher or MAC of
 * this provider refuses the IV of another one. Other providers take it as the
 * {@link IvParameterSpec} that it is.
 *
 * <p>No two packets under one key may have the same three values.
 */
public final class Air3gppParameterSpec extends IvParameterSpec {
    private static final long COUNT_MOST = 0xffff_ffffL;
    private static final int BEARER_MOST = 31;
    private static final int IV = 16;
    private static final int TAG_LEAST = 4;
    private static final int TAG_MOST = 16;

    /** Which way a packet goes. */
    public enum Direction {
        /** From the handset to the network: bit 0. */
        UPLINK,
        /** From the network to the handset: bit 1. */
        DOWNLINK
    }

    private final String operation;
    private final int tagBytes;

    private Air3gppParameterSpec(String operation, byte[] iv, int tagBytes) {
        super(iv);
        this.operation = operation;
        this.tagBytes = tagBytes;
    }

    /**
     * For 128-EEA3, {@code Cipher "EEA3"} (TS 35.221 §3.3).
     *
     * @param count COUNT, 0 to 2³² - 1
     * @param bearer BEARER, 0 to 31
     * @param direction DIRECTION
     */
    public static Air3gppParameterSpec eea3(long count, int bearer, Direction direction) {
        byte[] iv = twice(count, bearer);
        iv[4] |= (byte) (direction.ordinal() << 2);
        iv[12] = iv[4];
        return new Air3gppParameterSpec("eea3", iv, 0);
    }

    /**
     * For 128-EIA3, {@code Mac "EIA3"} (TS 35.221 §4.3).
     *
     * @param count COUNT, 0 to 2³² - 1
     * @param bearer BEARER, 0 to 31
     * @param direction DIRECTION
     */
    public static Air3gppParameterSpec eia3(long count, int bearer, Direction direction) {
        byte[] iv = twice(count, bearer);
        iv[8] ^= (byte) (direction.ordinal() << 7);
        iv[14] ^= (byte) (direction.ordinal() << 7);
        return new Air3gppParameterSpec("eia3", iv, 0);
    }

    /**
     * For 256-NEA6, {@code Cipher "NEA6"}, <b>assumed</b>: the text of TS 35.246 was not at hand.
     *
     * <p>Known from published test data is that byte 0 tells the algorithm and the tag's length (0
     * here), that byte 1 is below 64, and that bytes 12 to 15 are 0. Assumed is that byte 1 has
     * BEARER in front of DIRECTION, as 128-NEA3 has them, and that COUNT stands in bytes 2 to 5.
     * Who must work together with other makers' equipment compares it with the specification
     * first, or makes the IV itself.
     *
     * @param count COUNT, 0 to 2³² - 1
     * @param bearer BEARER, 0 to 31
     * @param direction DIRECTION
     */
    public static Air3gppParameterSpec assumedNea6(long count, int bearer, Direction direction) {
        return new Air3gppParameterSpec("nea6", assumed(0, count, bearer, direction), 0);
    }

    /**
     * For 256-NIA6, {@code Mac "NIA6"}, <b>assumed</b> as
     * {@link #assumedNea6(long, int, Direction) that of NEA6} is.
     *
     * @param count COUNT, 0 to 2³² - 1
     * @param bearer BEARER, 0 to 31
     * @param direction DIRECTION
     * @param tagBytes the length of the tag, 4 to 16, which byte 0 tells in bits
     */
    public static Air3gppParameterSpec assumedNia6(long count, int bearer, Direction direction,
            int tagBytes) {
        check("tag of %s bytes", tagBytes, TAG_LEAST, TAG_MOST);
        byte[] iv = assumed(8 * tagBytes, count, bearer, direction);
        return new Air3gppParameterSpec("nia6", iv, tagBytes);
    }

    /**
     * For 256-NCA6, {@code Cipher "ZUC-256-2023/NCA6/NoPadding"}, <b>assumed</b> as
     * {@link #assumedNea6(long, int, Direction) that of NEA6} is.
     *
     * @param count COUNT, 0 to 2³² - 1
     * @param bearer BEARER, 0 to 31
     * @param direction DIRECTION
     * @param tagBytes the length of the tag, 4 to 16, which byte 0 tells in bits and 4
     */
    public static Air3gppParameterSpec assumedNca6(long count, int bearer, Direction direction,
            int tagBytes) {
        check("tag of %s bytes", tagBytes, TAG_LEAST, TAG_MOST);
        byte[] iv = assumed(8 * tagBytes + 4, count, bearer, direction);
        return new Air3gppParameterSpec("nca6", iv, tagBytes);
    }

    /** COUNT and BEARER, and the same again. */
    private static byte[] twice(long count, int bearer) {
        check("COUNT %s", count, 0, COUNT_MOST);
        check("BEARER %s", bearer, 0, BEARER_MOST);
        byte[] iv = new byte[IV];
        for (int i = 0; i < 4; i++) {
            iv[i] = (byte) (count >> (24 - 8 * i));
        }
        iv[4] = (byte) (bearer << 3);
        System.arraycopy(iv, 0, iv, 8, 8);
        return iv;
    }

    private static byte[] assumed(int first, long count, int bearer, Direction direction) {
        byte[] iv = new byte[IV];
        System.arraycopy(twice(count, bearer), 0, iv, 2, 4);
        iv[0] = (byte) first;
        iv[1] = (byte) (bearer << 1 | direction.ordinal());
        return iv;
    }

    private static void check(String field, long got, long least, long most) {
        if (got < least || got > most) {
            throw new IllegalArgumentException(
                    String.format(field, got) + "; allowed: " + least + " to " + most);
        }
    }

    /** The length of the tag in bits; 0 where the algorithm has none or only one. */
    public int getTLen() {
        return 8 * tagBytes;
    }

    /** The library's name of the operation that the IV is for. */
    String operation() {
        return operation;
    }

    @Override
    public String toString() {
        return "the IV of a packet for " + operation;
    }
}
