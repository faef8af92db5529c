package org.cipherlane;

import java.util.Arrays;
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
    private static final int FAMILY_LEAST = 4;
    private static final int FAMILY_MOST = 6;
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
     * For 128-NEA1, {@code Cipher "NEA1"} (TS 33.501 annex D.2.1.2, TS 35.215).
     *
     * @param count COUNT, 0 to 2³² - 1
     * @param bearer BEARER, 0 to 31
     * @param direction DIRECTION
     */
    public static Air3gppParameterSpec nea1(long count, int bearer, Direction direction) {
        return new Air3gppParameterSpec("nea1", encryption(count, bearer, direction), 0);
    }

    /**
     * For 128-NIA1, {@code Mac "NIA1"} (TS 33.501 annex D.3.1.2, TS 35.215).
     *
     * @param count COUNT, 0 to 2³² - 1
     * @param bearer BEARER, 0 to 31
     * @param direction DIRECTION
     */
    public static Air3gppParameterSpec nia1(long count, int bearer, Direction direction) {
        return new Air3gppParameterSpec("nia1", integrity(count, bearer, direction), 0);
    }

    /**
     * For 128-NEA2, {@code Cipher "AES/NEA2/NoPadding"} (TS 33.501 annex D.2.1.3): the first counter.
     *
     * @param count COUNT, 0 to 2³² - 1
     * @param bearer BEARER, 0 to 31
     * @param direction DIRECTION
     */
    public static Air3gppParameterSpec nea2(long count, int bearer, Direction direction) {
        byte[] front = Arrays.copyOf(encryption(count, bearer, direction), IV / 2);
        return new Air3gppParameterSpec("nea2", Arrays.copyOf(front, IV), 0);
    }

    /**
     * For 128-NIA2, {@code Mac "AES-NIA2"} (TS 33.501 annex D.3.1.3): what stands in front of the
     * message, 8 bytes.
     *
     * @param count COUNT, 0 to 2³² - 1
     * @param bearer BEARER, 0 to 31
     * @param direction DIRECTION
     */
    public static Air3gppParameterSpec nia2(long count, int bearer, Direction direction) {
        byte[] front = Arrays.copyOf(encryption(count, bearer, direction), IV / 2);
        return new Air3gppParameterSpec("nia2", front, 0);
    }

    /**
     * For 128-EEA3, {@code Cipher "EEA3"} (TS 35.221 §3.3).
     *
     * @param count COUNT, 0 to 2³² - 1
     * @param bearer BEARER, 0 to 31
     * @param direction DIRECTION
     */
    public static Air3gppParameterSpec eea3(long count, int bearer, Direction direction) {
        return new Air3gppParameterSpec("eea3", encryption(count, bearer, direction), 0);
    }

    /**
     * For 128-EIA3, {@code Mac "EIA3"} (TS 35.221 §4.3).
     *
     * @param count COUNT, 0 to 2³² - 1
     * @param bearer BEARER, 0 to 31
     * @param direction DIRECTION
     */
    public static Air3gppParameterSpec eia3(long count, int bearer, Direction direction) {
        return new Air3gppParameterSpec("eia3", integrity(count, bearer, direction), 0);
    }

    /**
     * For 256-NEA4, NEA5 or NEA6, {@code Cipher "NEA4"}, {@code "AES/NEA5/NoPadding"} or
     * {@code "NEA6"}, <b>assumed</b>: the texts of TS 35.240, 35.244 and 35.246 were not at hand.
     *
     * <p>Known from published test data is that byte 0 tells the algorithm and the tag's length (0
     * here), that byte 1 is below 64, and that bytes 12 to 15 are 0. Assumed is that byte 1 has
     * BEARER in front of DIRECTION, as 128-NEA3 has them, and that COUNT stands in bytes 2 to 5.
     * Who must work together with other makers' equipment compares it with the specification
     * first, or makes the IV itself.
     *
     * @param family 4, 5 or 6
     * @param count COUNT, 0 to 2³² - 1
     * @param bearer BEARER, 0 to 31
     * @param direction DIRECTION
     */
    public static Air3gppParameterSpec assumedNea(int family, long count, int bearer,
            Direction direction) {
        return assumed("nea", family, 0, 0, count, bearer, direction);
    }

    /**
     * For 256-NIA4, NIA5 or NIA6, {@code Mac "NIA4"}, {@code "AES-NIA5"} or {@code "NIA6"},
     * <b>assumed</b> as {@link #assumedNea(int, long, int, Direction) that of NEA} is.
     *
     * @param family 4, 5 or 6
     * @param count COUNT, 0 to 2³² - 1
     * @param bearer BEARER, 0 to 31
     * @param direction DIRECTION
     * @param tagBytes the length of the tag, 4 to 16, which byte 0 tells in bits
     */
    public static Air3gppParameterSpec assumedNia(int family, long count, int bearer,
            Direction direction, int tagBytes) {
        check("tag of %s bytes", tagBytes, TAG_LEAST, TAG_MOST);
        return assumed("nia", family, 8 * tagBytes, tagBytes, count, bearer, direction);
    }

    /**
     * For 256-NCA4, NCA5 or NCA6, {@code Cipher "SNOW-5G/NCA4/NoPadding"},
     * {@code "AES/NCA5/NoPadding"} or {@code "ZUC-256-2023/NCA6/NoPadding"}, <b>assumed</b> as
     * {@link #assumedNea(int, long, int, Direction) that of NEA} is.
     *
     * @param family 4, 5 or 6
     * @param count COUNT, 0 to 2³² - 1
     * @param bearer BEARER, 0 to 31
     * @param direction DIRECTION
     * @param tagBytes the length of the tag, 4 to 16, which byte 0 tells in bits and 4
     */
    public static Air3gppParameterSpec assumedNca(int family, long count, int bearer,
            Direction direction, int tagBytes) {
        check("tag of %s bytes", tagBytes, TAG_LEAST, TAG_MOST);
        return assumed("nca", family, 8 * tagBytes + 4, tagBytes, count, bearer, direction);
    }

    /**
     * {@link #assumedNea(int, long, int, Direction)} of family 6.
     *
     * @param count COUNT, 0 to 2³² - 1
     * @param bearer BEARER, 0 to 31
     * @param direction DIRECTION
     */
    public static Air3gppParameterSpec assumedNea6(long count, int bearer, Direction direction) {
        return assumedNea(6, count, bearer, direction);
    }

    /**
     * {@link #assumedNia(int, long, int, Direction, int)} of family 6.
     *
     * @param count COUNT, 0 to 2³² - 1
     * @param bearer BEARER, 0 to 31
     * @param direction DIRECTION
     * @param tagBytes the length of the tag, 4 to 16
     */
    public static Air3gppParameterSpec assumedNia6(long count, int bearer, Direction direction,
            int tagBytes) {
        return assumedNia(6, count, bearer, direction, tagBytes);
    }

    /**
     * {@link #assumedNca(int, long, int, Direction, int)} of family 6.
     *
     * @param count COUNT, 0 to 2³² - 1
     * @param bearer BEARER, 0 to 31
     * @param direction DIRECTION
     * @param tagBytes the length of the tag, 4 to 16
     */
    public static Air3gppParameterSpec assumedNca6(long count, int bearer, Direction direction,
            int tagBytes) {
        return assumedNca(6, count, bearer, direction, tagBytes);
    }

    /** COUNT, BEARER, DIRECTION and zeros, twice. */
    private static byte[] encryption(long count, int bearer, Direction direction) {
        byte[] iv = twice(count, bearer);
        iv[4] |= (byte) (direction.ordinal() << 2);
        iv[12] = iv[4];
        return iv;
    }

    /** COUNT, BEARER and zeros, twice; of the second time DIRECTION changes two bits. */
    private static byte[] integrity(long count, int bearer, Direction direction) {
        byte[] iv = twice(count, bearer);
        iv[8] ^= (byte) (direction.ordinal() << 7);
        iv[14] ^= (byte) (direction.ordinal() << 7);
        return iv;
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

    private static Air3gppParameterSpec assumed(String kind, int family, int first, int tagBytes,
            long count, int bearer, Direction direction) {
        check("family %s", family, FAMILY_LEAST, FAMILY_MOST);
        byte[] iv = new byte[IV];
        System.arraycopy(twice(count, bearer), 0, iv, 2, 4);
        iv[0] = (byte) first;
        iv[1] = (byte) (bearer << 1 | direction.ordinal());
        return new Air3gppParameterSpec(kind + family, iv, tagBytes);
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
