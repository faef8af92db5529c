package org.cipherlane.hive;

import org.apache.hadoop.hive.ql.exec.Description;
import org.apache.hadoop.hive.ql.exec.UDF;
import org.apache.hadoop.hive.ql.udf.UDFType;
import org.cipherlane.internal.SqlFunctions;

/**
 * A value under SM4, laid out as Spark's {@code aes_encrypt} does:
 * {@code sm4_encrypt(value, key)}.
 *
 * <p>{@code CREATE FUNCTION sm4_encrypt AS 'org.cipherlane.hive.Sm4Encrypt' USING
 * JAR '…'}. The key is a reference, {@code file:PATH} or {@code env:NAME} of what runs the query,
 * for 32 hexadecimal
 * digits. NULL gives NULL.
 */
@Description(name = "sm4_encrypt",
        value = "_FUNC_(value, key[, mode]) - value under SM4: IV, ciphertext and tag",
        extended = "key: file:PATH or env:NAME, which hold 32 hexadecimal digits; mode: GCM, CBC, "
                + "ECB")
@UDFType(deterministic = false)
public final class Sm4Encrypt extends UDF {
    private static final byte[] DEFAULT = SqlFunctions.bytes("DEFAULT");
    private static final byte[] NOTHING = {};

    /** Of bytes in GCM. */
    public byte[] evaluate(byte[] value, String key) {
        return evaluate(value, key, "GCM");
    }

    /** Of text in GCM. */
    public byte[] evaluate(String value, String key) {
        return evaluate(value, key, "GCM");
    }

    /** Of text in a mode. */
    public byte[] evaluate(String value, String key, String mode) {
        return value == null ? null : evaluate(SqlFunctions.bytes(value), key, mode);
    }

    /** Of bytes in a mode. */
    public byte[] evaluate(byte[] value, String key, String mode) {
        if (value == null || key == null || mode == null) {
            return null;
        }
        return SqlFunctions.sm4_encrypt(value, SqlFunctions.bytes(key), SqlFunctions.bytes(mode),
                DEFAULT, NOTHING, NOTHING);
    }
}
