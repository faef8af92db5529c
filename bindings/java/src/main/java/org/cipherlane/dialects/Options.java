package org.cipherlane.dialects;

import java.nio.charset.StandardCharsets;
import java.util.Locale;
import org.cipherlane.internal.Hex;

/** Settings of a codec as text: {@code name=value} with {@code ;} between. */
final class Options {
    private Options() {}

    /** Sets a builder as a text says. */
    static void read(String text, Codec.Builder builder) throws DialectException {
        String[] options = text.split(";");
        for (int i = 0; i < options.length; i++) {
            String option = options[i].trim();
            if (option.isEmpty()) {
                continue;
            }
            int end = option.indexOf('=');
            boolean known;
            try {
                known = end > 0 && set(option.substring(0, end).trim().toLowerCase(Locale.ROOT),
                        option.substring(end + 1), builder);
            } catch (IllegalArgumentException error) {
                throw refused(i, "its value can't be read", builder);
            }
            if (!known) {
                throw refused(i, "its name is none", builder);
            }
        }
    }

    private static boolean set(String name, String value, Codec.Builder builder) {
        switch (name) {
            case "mode":
                builder.mode(value.trim());
                return true;
            case "iv":
                builder.ivText(value);
                return true;
            case "iv-hex":
                builder.iv(Hex.parse(value.trim()), Form.BYTES);
                return true;
            case "key-form":
                builder.keyForm(Form.valueOf(value.trim().toUpperCase(Locale.ROOT)));
                return true;
            case "hash":
                builder.hash(value.trim());
                return true;
            case "aad":
                builder.aad(value.getBytes(StandardCharsets.UTF_8));
                return true;
            case "aad-hex":
                builder.aad(Hex.parse(value.trim()));
                return true;
            case "coding":
                builder.coding(Coding.of(value.trim()));
                return true;
            case "weak":
                builder.weak(known(value.trim()));
                return true;
            default:
                return false;
        }
    }

    private static boolean known(String value) {
        if (!value.equals("true") && !value.equals("false")) {
            throw new IllegalArgumentException("neither true nor false");
        }
        return value.equals("true");
    }

    /** Names the option by its number: a key may have come here by mistake. */
    private static DialectException refused(int place, String what, Codec.Builder builder) {
        return new DialectException(DialectException.Kind.SETTING, "options",
                "option " + (place + 1) + " of " + builder.dialect().name() + ": " + what
                        + "; allowed: mode=, iv=, iv-hex=, key-form=text|hex|base64|bytes, hash=, "
                        + "aad=, aad-hex=, coding=raw|base64|hex|hex-upper|as-key, weak=true|false",
                "give name=value, with ; between");
    }
}
