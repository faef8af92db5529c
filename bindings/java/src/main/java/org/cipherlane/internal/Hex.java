package org.cipherlane.internal;

/** Hexadecimal digits, which Java has a class for from 17 on. Of the jar's own classes only. */
public final class Hex {
    private Hex() {}

    /**
     * The bytes that digits stand for.
     *
     * @param digits an even number of digits in either case
     * @throws IllegalArgumentException if they are not; it doesn't repeat them, as they may be a
     * key
     */
    public static byte[] parse(CharSequence digits) {
        if (digits.length() % 2 != 0) {
            throw new IllegalArgumentException(
                    digits.length() + " hexadecimal digits; allowed: an even number");
        }
        byte[] bytes = new byte[digits.length() / 2];
        for (int i = 0; i < digits.length(); i++) {
            char it = digits.charAt(i);
            int value = it < 128 ? Character.digit(it, 16) : -1;
            if (value < 0) {
                java.util.Arrays.fill(bytes, (byte) 0);
                throw new IllegalArgumentException("a character at place " + i
                        + " is no hexadecimal digit; allowed: 0 to 9, a to f");
            }
            bytes[i / 2] |= (byte) (value << (i % 2 == 0 ? 4 : 0));
        }
        return bytes;
    }
}
