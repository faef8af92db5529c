package org.cipherlane;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Algorithms that share a name of the JCA and differ in the length of the key. */
record Family(String name, List<String> members, int block, boolean anyKey) {

    /** All there are, in the order of the library's list. */
    static final List<Family> ALL = collect();

    private static List<Family> collect() {
        var families = new ArrayList<Family>();
        for (Entry entry : Entry.ALL) {
            String name = name(entry.algorithm());
            Family known = find(families, name);
            if (known == null) {
                // Their keys have many lengths, of which the list names the usual one.
                boolean anyKey = name.equals("RC2") || name.equals("RC5");
                known = new Family(name, new ArrayList<>(), entry.block(), anyKey);
                families.add(known);
            }
            if (!known.members.contains(entry.algorithm())) {
                known.members.add(entry.algorithm());
            }
        }
        return List.copyOf(families);
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
        return switch (name) {
            case "AES-128", "AES-192", "AES-256" -> "AES";
            case "HC-128" -> "HC128";
            case "GRAIN-V1" -> "Grainv1";
            case "GRAIN-128" -> "Grain128";
            case "SALSA20-20" -> "Salsa20";
            case "RC4" -> "ARC4";
            default -> name;
        };
    }

    boolean isBlock() {
        return block > 0;
    }

    List<Entry> entries() {
        return Entry.ALL.stream().filter(entry -> members.contains(entry.algorithm())).toList();
    }
}
