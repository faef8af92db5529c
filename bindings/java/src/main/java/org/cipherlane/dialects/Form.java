package org.cipherlane.dialects;

/** How the bytes of a key or an IV are given. */
public enum Form {
    /** The argument itself, byte by byte. */
    TEXT,
    /** Hexadecimal digits. */
    HEX,
    /** Base64. */
    BASE64,
    /**
     * What the digits or the Base64 stand for, where the engine takes those; else as
     * {@link #TEXT}.
     */
    BYTES;

    /** Its number in the native half; of none -1. */
    static int number(Form form) {
        return form == null ? -1 : form.ordinal();
    }
}
