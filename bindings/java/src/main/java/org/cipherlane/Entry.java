package org.cipherlane;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.stream.Collectors;

/** An operation of an algorithm as the library lists it. */
final class Entry {
    /** Every operation of every algorithm. */
    static final List<Entry> ALL = Collections.unmodifiableList(
            Arrays.stream(new String(Native.listing(), StandardCharsets.UTF_8).split("\n"))
                    .map(line -> new Entry(line.split("\t", -1))).collect(Collectors.toList()));

    private final String algorithm;
    private final String operation;
    private final String kind;
    private final int block;
    private final long keyLeast;
    private final long keyMost;
    private final long keyStep;
    private final int usualIv;
    private final int tag;
    private final String oid;
    private final String title;

    private Entry(String[] fields) {
        algorithm = fields[0];
        operation = fields[1];
        kind = fields[2];
        block = Integer.parseInt(fields[3]);
        keyLeast = Long.parseLong(fields[4]);
        keyMost = Long.parseLong(fields[5]);
        keyStep = Long.parseLong(fields[6]);
        usualIv = Integer.parseInt(fields[7]);
        tag = Integer.parseInt(fields[8]);
        oid = fields[9];
        title = fields[10];
    }

    String algorithm() {
        return algorithm;
    }

    String operation() {
        return operation;
    }

    String kind() {
        return kind;
    }

    int block() {
        return block;
    }

    long keyLeast() {
        return keyLeast;
    }

    long keyMost() {
        return keyMost;
    }

    long keyStep() {
        return keyStep;
    }

    int usualIv() {
        return usualIv;
    }

    int tag() {
        return tag;
    }

    String oid() {
        return oid;
    }

    String title() {
        return title;
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
