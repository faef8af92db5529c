import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A line of the protocol: a word and fields; an answer may have a key several times. */
final class Line {
    /** What a request asks that is not understood. */
    static final class Wrong extends Exception {
        private static final long serialVersionUID = 1;

        Wrong(String reason) {
            super(reason);
        }
    }

    final String word;
    private final Map<String, String> fields = new LinkedHashMap<>();

    private Line(String word) {
        this.word = word;
    }

    static Line read(String text) throws Wrong {
        String[] words = text.trim().split(" +");
        if (words[0].isEmpty()) {
            throw new Wrong("an empty line");
        }
        var line = new Line(words[0]);
        for (int i = 1; i < words.length; i++) {
            int equals = words[i].indexOf('=');
            if (equals < 0) {
                throw new Wrong("`" + words[i] + "` is no key=value");
            }
            String key = words[i].substring(0, equals);
            if (line.fields.put(key, unescape(words[i].substring(equals + 1))) != null) {
                throw new Wrong("the key `" + key + "` stands twice");
            }
        }
        return line;
    }

    private static String unescape(String text) throws Wrong {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        var plain = new java.io.ByteArrayOutputStream();
        for (int i = 0; i < bytes.length; i++) {
            if (bytes[i] != '%') {
                plain.write(bytes[i]);
                continue;
            }
            int high = i + 2 < bytes.length ? Character.digit(bytes[i + 1], 16) : -1;
            int low = high < 0 ? -1 : Character.digit(bytes[i + 2], 16);
            if (low < 0) {
                throw new Wrong("a broken escape in `" + text + "`");
            }
            plain.write(high << 4 | low);
            i += 2;
        }
        return plain.toString(StandardCharsets.UTF_8);
    }

    /** One field as it is written: the characters 0 to 32, % and 127 are escaped. */
    static String field(String key, Object value) {
        var text = new StringBuilder(" ").append(key).append('=');
        for (char c : value.toString().toCharArray()) {
            if (c <= ' ' || c == '%' || c == 0x7f) {
                text.append(String.format("%%%02X", (int) c));
            } else {
                text.append(c);
            }
        }
        return text.toString();
    }

    boolean has(String key) {
        return fields.containsKey(key);
    }

    String text(String key, String usual) {
        return fields.getOrDefault(key, usual);
    }

    long number(String key, long usual, long least, long most) throws Wrong {
        String text = fields.get(key);
        if (text == null) {
            return usual;
        }
        try {
            long value = Long.parseLong(text);
            if (value >= least && value <= most) {
                return value;
            }
        } catch (NumberFormatException ignored) {
            // The same as one out of range.
        }
        throw new Wrong("`" + key + "` is `" + text + "`; allowed: " + least + " to " + most);
    }

    /** A number of 64 bits without a sign. */
    long seed() throws Wrong {
        try {
            return Long.parseUnsignedLong(text("seed", "1"));
        } catch (NumberFormatException wrong) {
            throw new Wrong("`seed` is `" + text("seed", "") + "`; allowed: 0 to 2^64 - 1");
        }
    }

    void only(List<String> known) throws Wrong {
        for (String key : fields.keySet()) {
            if (!known.contains(key)) {
                throw new Wrong("unknown key `" + key + "`; known: " + String.join(", ", known));
            }
        }
    }
}
