package org.cipherlane;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;

/** A line of the published vectors, which {@code cargo xtask java} writes. */
record Vector(String kind, String id, String algorithm, String operation, String inverse,
        byte[] key, byte[] iv, byte[] aad, byte[] input, byte[] output, byte[] tag, int offset,
        String bits, boolean valid, String parameters) {

    static List<Vector> all(String kind) {
        String file = System.getProperty("org.cipherlane.vectors");
        try (var lines = Files.lines(Path.of(file))) {
            List<Vector> found =
                    lines.skip(1).map(Vector::read).filter(it -> it.kind.equals(kind)).toList();
            if (found.isEmpty()) {
                throw new AssertionError(file + " has no vectors of kind " + kind);
            }
            return found;
        } catch (IOException error) {
            throw new UncheckedIOException(error);
        }
    }

    private static Vector read(String line) {
        String[] f = line.split("\t", -1);
        HexFormat hex = HexFormat.of();
        return new Vector(f[0], f[1], f[2], f[3], f[4], hex.parseHex(f[5]), hex.parseHex(f[6]),
                hex.parseHex(f[7]), hex.parseHex(f[8]), hex.parseHex(f[9]), hex.parseHex(f[10]),
                Integer.parseInt(f[11]), f[12], f[13].equals("1"), f[14]);
    }

    /** The family it belongs to. */
    Family family() {
        return Family.ALL.stream().filter(it -> it.members().contains(algorithm)).findFirst()
                .orElseThrow();
    }
}
