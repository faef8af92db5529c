package org.cipherlane.dialects;

import java.util.Arrays;

/**
 * A column of values, as Arrow lays one: the bytes of all, one behind the other, and where each
 * ends. A value may be SQL's NULL, and of a result it may be bad.
 */
public final class Values {
    static final byte VALUE = 0;
    static final byte NULL = 1;
    static final byte BAD = 2;

    final byte[] bytes;
    final int[] ends;
    final byte[] states;

    Values(byte[] bytes, int[] ends, byte[] states) {
        this.bytes = bytes;
        this.ends = ends;
        this.states = states;
    }

    /**
     * A column of copies of these values.
     *
     * @param values the values; null stands for NULL
     * @throws IllegalArgumentException if they have more than 2³¹ - 1 bytes together
     */
    public static Values of(byte[]... values) {
        long length = 0;
        for (byte[] value : values) {
            length += value == null ? 0 : value.length;
        }
        if (length > Integer.MAX_VALUE - 8) {
            throw new IllegalArgumentException("a column of " + length
                    + " bytes; allowed: " + (Integer.MAX_VALUE - 8) + ", so fewer values at once");
        }
        byte[] bytes = new byte[(int) length];
        int[] ends = new int[values.length];
        byte[] states = new byte[values.length];
        int end = 0;
        for (int i = 0; i < values.length; i++) {
            if (values[i] == null) {
                states[i] = NULL;
            } else {
                System.arraycopy(values[i], 0, bytes, end, values[i].length);
                end += values[i].length;
            }
            ends[i] = end;
        }
        return new Values(bytes, ends, states);
    }

    /** How many values there are. */
    public int size() {
        return ends.length;
    }

    /** Whether a value is NULL. */
    public boolean isNull(int row) {
        return states[row] == NULL;
    }

    /** Whether a value of a result is bad: {@link Codec#why} of what it was made from says why. */
    public boolean isBad(int row) {
        return states[row] == BAD;
    }

    /** How many are bad. */
    public int bad() {
        int bad = 0;
        for (byte state : states) {
            bad += state == BAD ? 1 : 0;
        }
        return bad;
    }

    int start(int row) {
        return row == 0 ? 0 : ends[row - 1];
    }

    /** A copy of a value; null where it is NULL or bad. */
    public byte[] get(int row) {
        return states[row] == VALUE ? Arrays.copyOfRange(bytes, start(row), ends[row]) : null;
    }

    /** Copies of all values, null where one is NULL or bad. */
    public byte[][] toArrays() {
        byte[][] all = new byte[size()][];
        for (int i = 0; i < all.length; i++) {
            all[i] = get(i);
        }
        return all;
    }

    /** Overwrites the bytes with zeros. */
    public void wipe() {
        Arrays.fill(bytes, (byte) 0);
    }

    @Override
    public String toString() {
        return "a column of " + size() + " values";
    }
}
