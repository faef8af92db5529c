package org.cipherlane.dialects;

import java.util.Locale;

/** How stored values are written. */
public enum Coding {
    /** The bytes themselves. */
    RAW,
    /** Base64 in the standard alphabet, padded, in one line. Reading takes line breaks. */
    BASE64,
    /** Hexadecimal digits, written in lower case. Reading takes both. */
    HEX,
    /** Hexadecimal digits, written in upper case. Reading takes both. */
    HEX_UPPER,
    /** Hexadecimal digits where the key is given in such, Base64 where it is given in that. */
    AS_KEY;

    /** Its name in tables, e.g. {@code hex-upper}. */
    String tableName() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    static Coding of(String name) {
        return valueOf(name.toUpperCase(Locale.ROOT).replace('-', '_'));
    }
}
