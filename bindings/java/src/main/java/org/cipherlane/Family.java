package org.cipherlane;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** Algorithms that share a name of the JCA and differ in the length of the key. */
final class Family {
    /** All there are, in the order of the library's list. */
    static final List<Family> ALL = collect();

    private final String name;
    private final List<String> members = new ArrayList<>();
    private final int block;
    private final boolean anyKey;

    private Family(String name, int block, boolean anyKey) {
        this.name = name;
        this.block = block;
        this.anyKey = anyKey;
    }

    private static List<Family> collect() {
        List<Family> families = new ArrayList<>();
        for (Entry entry : Entry.ALL) {
            String name = name(entry.algorithm());
            Family known = find(families, name);
            if (known == null) {
                // Their keys have many lengths, of which the list names the usual one.
                boolean anyKey = name.equals("RC2") || name.equals("RC5");
                known = new Family(name, entry.block(), anyKey);
                families.add(known);
            }
            if (!known.members.contains(entry.algorithm())) {
                known.members.add(entry.algorithm());
            }
        }
        return Collections.unmodifiableList(families);
    }

    private static Family find(List<Family> families, String name) {
        for (Family family : families) {
            if (family.name.equals(name)) {
                return family;
            }
        }
        return null;
    }

    /** The name in the JCA: upper case, and one for all key lengths of AES. */
    private static String name(String algorithm) {
        String name = algorithm.toUpperCase(Locale.ROOT);
        switch (name) {
            case "AES-128":
            case "AES-192":
            case "AES-256":
                return "AES";
            case "HC-128":
                return "HC128";
            case "GRAIN-V1":
                return "Grainv1";
            case "GRAIN-128":
                return "Grain128";
            case "SALSA20-20":
                return "Salsa20";
            case "RC4":
                return "ARC4";
            default:
                return name;
        }
    }

    String name() {
        return name;
    }

    /** The library's names of what goes by this one. */
    List<String> members() {
        return members;
    }

    /** The length of a block in bytes; 0 where there are none. */
    int block() {
        return block;
    }

    boolean anyKey() {
        return anyKey;
    }

    boolean isBlock() {
        return block > 0;
    }

    List<Entry> entries() {
        return Entry.ALL.stream().filter(entry -> members.contains(entry.algorithm()))
                .collect(Collectors.toList());
    }
}
