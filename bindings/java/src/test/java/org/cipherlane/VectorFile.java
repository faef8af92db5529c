package org.cipherlane;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/** The tests of a file of vectors as it stands in the repository: one test a line. */
record VectorFile(String mode, Map<String, String> fields) {
    // Long texts by loops of characters, which take no stack.
    private static final Pattern FIELD =
            Pattern.compile("\"(\\w+)\": ?(?:\"([^\"\\\\]*+(?:\\\\.[^\"\\\\]*+)*+)\"|(\\d+))");

    static List<VectorFile> read(String name) {
        Path file = Path.of(System.getProperty("org.cipherlane.data"), name);
        var found = new ArrayList<VectorFile>();
        String mode = "";
        try {
            for (String line : Files.readAllLines(file)) {
                var fields = new HashMap<String, String>();
                for (var it = FIELD.matcher(line); it.find();) {
                    fields.put(it.group(1), it.group(2) == null ? it.group(3) : it.group(2));
                }
                mode = fields.getOrDefault("mode", mode);
                if (fields.containsKey("id")) {
                    found.add(new VectorFile(mode, fields));
                }
            }
        } catch (IOException error) {
            throw new UncheckedIOException(error);
        }
        if (found.isEmpty()) {
            throw new AssertionError(file + " has no tests");
        }
        return found;
    }

    String text(String field) {
        return fields.get(field);
    }

    int number(String field) {
        return Integer.parseInt(fields.get(field));
    }

    /** Bytes in hexadecimal; none where the field is not there. */
    byte[] bytes(String field) {
        return HexFormat.of().parseHex(fields.getOrDefault(field, ""));
    }
}
