package org.cipherlane;

import java.nio.charset.StandardCharsets;
import java.util.List;

/** An operation of an algorithm as the library lists it. */
record Entry(String algorithm, String operation, String kind, int block, long keyLeast,
        long keyMost, long keyStep, int usualIv, int tag, String oid, String title) {

    /** Every operation of every algorithm. */
    static final List<Entry> ALL = new String(Native.listing(), StandardCharsets.UTF_8).lines()
            .map(Entry::read).toList();

    private static Entry read(String line) {
        String[] fields = line.split("\t", -1);
        return new Entry(fields[0], fields[1], fields[2], Integer.parseInt(fields[3]),
                Long.parseLong(fields[4]), Long.parseLong(fields[5]), Long.parseLong(fields[6]),
                Integer.parseInt(fields[7]), Integer.parseInt(fields[8]), fields[9], fields[10]);
    }

    /** Whether the operation takes a key of that many bytes. */
    boolean takesKey(int length) {
        boolean inside = keyLeast <= length && length <= keyMost;
        return length == keyLeast || inside && keyStep > 0 && (length - keyLeast) % keyStep == 0;
    }

    /** The lengths of keys, in bytes. */
    String keys() {
        if (keyLeast == keyMost) {
            return Long.toString(keyLeast);
        }
        return keyLeast + " to " + keyMost + (keyStep > 1 ? " in steps of " + keyStep : "");
    }
}
