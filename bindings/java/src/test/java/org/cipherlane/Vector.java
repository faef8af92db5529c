package org.cipherlane;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Paths;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.cipherlane.internal.Hex;

/** A line of the published vectors, which {@code cargo xtask java} writes. */
final class Vector {
    private final String[] fields;

    private Vector(String line) {
        fields = line.split("\t", -1);
    }

    static List<Vector> all(String kind) {
        String file = System.getProperty("org.cipherlane.vectors");
        try (Stream<String> lines = Files.lines(Paths.get(file))) {
            List<Vector> found = lines.skip(1).map(Vector::new)
                    .filter(it -> it.kind().equals(kind)).collect(Collectors.toList());
            if (found.isEmpty()) {
                throw new AssertionError(file + " has no vectors of kind " + kind);
            }
            return found;
        } catch (IOException error) {
            throw new UncheckedIOException(error);
        }
    }

    /** The family it belongs to. */
    Family family() {
        return Family.ALL.stream().filter(it -> it.members().contains(algorithm())).findFirst()
                .get();
    }

    String kind() {
        return fields[0];
    }

    String id() {
        return fields[1];
    }

    String algorithm() {
        return fields[2];
    }

    String operation() {
        return fields[3];
    }

    String inverse() {
        return fields[4];
    }

    byte[] key() {
        return Hex.parse(fields[5]);
    }

    byte[] iv() {
        return Hex.parse(fields[6]);
    }

    byte[] aad() {
        return Hex.parse(fields[7]);
    }

    byte[] input() {
        return Hex.parse(fields[8]);
    }

    byte[] output() {
        return Hex.parse(fields[9]);
    }

    byte[] tag() {
        return Hex.parse(fields[10]);
    }

    int offset() {
        return Integer.parseInt(fields[11]);
    }

    String bits() {
        return fields[12];
    }

    boolean valid() {
        return fields[13].equals("1");
    }

    String parameters() {
        return fields[14];
    }
}
