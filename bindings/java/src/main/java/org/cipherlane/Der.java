package org.cipherlane;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Arrays;

/** The little of DER that algorithm parameters need: values of up to 255 bytes. */
final class Der {
    static final int INTEGER = 2;
    static final int OCTETS = 4;
    static final int SEQUENCE = 0x30;

    private final byte[] bytes;
    private int place;

    Der(byte[] bytes) {
        this.bytes = bytes;
    }

    boolean more() {
        return place < bytes.length;
    }

    private int next() throws IOException {
        if (!more()) {
            throw new IOException("the encoding ends early");
        }
        return bytes[place++] & 0xff;
    }

    byte[] value(int tag) throws IOException {
        int found = next();
        if (found != tag) {
            throw new IOException("tag " + found + "; allowed: " + tag);
        }
        int length = next();
        if (length == 0x81) {
            length = next();
        } else if (length >= 0x80) {
            throw new IOException("a value of more than 255 bytes");
        }
        if (length > bytes.length - place) {
            throw new IOException("the encoding ends early");
        }
        byte[] value = Arrays.copyOfRange(bytes, place, place + length);
        place += length;
        return value;
    }

    void end() throws IOException {
        if (more()) {
            throw new IOException("bytes behind the end of the encoding");
        }
    }

    static byte[] encode(int tag, byte[] value) {
        if (value.length > 255) {
            throw new IllegalArgumentException("a value of more than 255 bytes");
        }
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.write(tag);
        if (value.length >= 0x80) {
            out.write(0x81);
        }
        out.write(value.length);
        out.write(value, 0, value.length);
        return out.toByteArray();
    }
}
