package org.cipherlane.internal;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.Arrays;
import javax.crypto.BadPaddingException;
import javax.crypto.IllegalBlockSizeException;
import javax.crypto.spec.SecretKeySpec;
import org.cipherlane.dialects.Codec;
import org.cipherlane.dialects.Dialect;
import org.cipherlane.dialects.DialectException;
import org.cipherlane.dialects.Form;

/**
 * The functions of SQL under their names there, which Spark's generated code calls, and functions
 * for other engines stand on. Texts come as their UTF-8; no argument is null. Of the jar's own
 * classes only.
 */
public final class SqlFunctions {
    /** What the last call of a thread looked up: the next row asks for the same. */
    private static final ThreadLocal<Last> LAST = ThreadLocal.withInitial(Last::new);

    private SqlFunctions() {}

    private static final class Last {
        private byte[] keyBytes = {};
        private SecretKeySpec key;
        /** The dialect of what sm4_encrypt writes, under the key: a call of it takes less time. */
        private Codec sealer;
        private byte[] modeBytes = {};
        private byte[] paddingBytes = {};
        private Layout layout;

        SecretKeySpec key(byte[] reference) {
            if (key == null || !Arrays.equals(keyBytes, reference)) {
                key = References.key(text(reference));
                sealer = null;
                // A copy: a caller that fills the same array anew would ask for the old key.
                keyBytes = reference.clone();
            }
            return key;
        }

        /** One for each thread: a codec that all have costs them a count that they share. */
        Codec sealer(byte[] reference) throws DialectException {
            SecretKeySpec now = key(reference);
            if (sealer == null) {
                sealer = Dialect.find("cipherlane-sm4").codec().key(now.getEncoded(), Form.BYTES)
                        .build();
            }
            return sealer;
        }

        Layout layout(byte[] mode, byte[] padding) {
            boolean same = Arrays.equals(modeBytes, mode) && Arrays.equals(paddingBytes, padding);
            if (layout == null || !same) {
                Layout found = Layout.of(text(mode));
                found.checkPadding(text(padding));
                layout = found;
                modeBytes = mode.clone();
                paddingBytes = padding.clone();
            }
            return layout;
        }
    }

    private static String text(byte[] bytes) {
        return new String(bytes, StandardCharsets.UTF_8);
    }

    /** {@code sm4_encrypt(value, key, mode, padding, iv, aad)}. */
    public static byte[] sm4_encrypt(byte[] value, byte[] key, byte[] mode, byte[] padding,
            byte[] iv, byte[] aad) {
        Last last = LAST.get();
        try {
            Layout layout = last.layout(mode, padding);
            if (layout == Layout.GCM && iv.length == 0 && aad.length == 0) {
                return last.sealer(key).encrypt(value);
            }
            return layout.encrypt(value, last.key(key), iv, aad);
        } catch (GeneralSecurityException error) {
            throw new IllegalArgumentException(error.getMessage(), error);
        }
    }

    /** {@code sm4_decrypt(value, key, mode, padding, aad)}. */
    public static byte[] sm4_decrypt(byte[] value, byte[] key, byte[] mode, byte[] padding,
            byte[] aad) {
        try {
            return opened(value, key, mode, padding, aad);
        } catch (GeneralSecurityException error) {
            throw new IllegalArgumentException(error.getMessage(), error);
        }
    }

    /** {@code try_sm4_decrypt(value, key, mode, padding, aad)}: null where it does not open. */
    public static byte[] try_sm4_decrypt(byte[] value, byte[] key, byte[] mode, byte[] padding,
            byte[] aad) {
        try {
            return opened(value, key, mode, padding, aad);
        } catch (BadPaddingException | IllegalBlockSizeException error) {
            return null;
        } catch (GeneralSecurityException error) {
            throw new IllegalArgumentException(error.getMessage(), error);
        }
    }

    private static byte[] opened(byte[] value, byte[] key, byte[] mode, byte[] padding,
            byte[] aad) throws GeneralSecurityException {
        Last last = LAST.get();
        return last.layout(mode, padding).decrypt(value, last.key(key), aad);
    }

    /** {@code dialect_encrypt(dialect, value, key, options)}. */
    public static byte[] dialect_encrypt(byte[] dialect, byte[] value, byte[] key,
            byte[] options) {
        try {
            return codec(dialect, key, options).encrypt(value);
        } catch (DialectException error) {
            throw new IllegalArgumentException(error.getMessage(), error);
        }
    }

    /** {@code dialect_decrypt(dialect, value, key, options)}. */
    public static byte[] dialect_decrypt(byte[] dialect, byte[] value, byte[] key,
            byte[] options) {
        try {
            return codec(dialect, key, options).decrypt(value);
        } catch (DialectException error) {
            throw new IllegalArgumentException(error.getMessage(), error);
        }
    }

    /** {@code try_dialect_decrypt(dialect, value, key, options)}: null where it does not open. */
    public static byte[] try_dialect_decrypt(byte[] dialect, byte[] value, byte[] key,
            byte[] options) {
        try {
            return codec(dialect, key, options).decrypt(value);
        } catch (DialectException error) {
            if (error.ofValue()) {
                return null;
            }
            throw new IllegalArgumentException(error.getMessage(), error);
        }
    }

    /** The UTF-8 of a text. */
    public static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static Codec codec(byte[] dialect, byte[] key, byte[] options)
            throws DialectException {
        return Codecs.of(dialect, key, options);
    }
}
