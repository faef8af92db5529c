package org.cipherlane;

import java.security.InvalidKeyException;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/**
 * An operation of a family: one entry for each length of key. Looked up once for a service, as a
 * search of the list costs more than a short message.
 */
final class Operation {
    final Family family;
    final String name;
    /** The name as the native half takes it. */
    final byte[] bytes;
    private final Entry[] entries;
    private final byte[][] algorithms;

    private Operation(Family family, String name, List<Entry> entries) {
        this.family = family;
        this.name = name;
        this.bytes = Native.name(name);
        this.entries = entries.toArray(new Entry[0]);
        this.algorithms = entries.stream().map(it -> Native.name(it.algorithm()))
                .toArray(byte[][]::new);
    }

    static Operation of(Family family, String name) {
        List<Entry> entries = family.entries().stream()
                .filter(entry -> entry.operation().equals(name)).collect(Collectors.toList());
        if (entries.isEmpty()) {
            throw new IllegalArgumentException(family.name() + " has no operation " + name);
        }
        return new Operation(family, name, entries);
    }

    /** Which of the entries takes this key; it is wiped if none does. */
    int takes(byte[] key) throws InvalidKeyException {
        for (int i = 0; i < entries.length; i++) {
            if (family.anyKey() || entries[i].takesKey(key.length)) {
                return i;
            }
        }
        Arrays.fill(key, (byte) 0);
        throw new InvalidKeyException(title() + ": a key of " + key.length + " bytes; allowed: "
                + Arrays.stream(entries).map(Entry::keys).distinct()
                        .collect(Collectors.joining(" or ")) + " bytes");
    }

    Entry entry(int number) {
        return entries[number];
    }

    /** The algorithm's name as the native half takes it. */
    byte[] algorithm(int number) {
        return algorithms[number];
    }

    /** How messages name it, e.g. {@code SM4/gcm-seal}. */
    String title() {
        return family.name() + "/" + name;
    }
}
