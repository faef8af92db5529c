package org.cipherlane.hive;

import org.apache.hadoop.hive.ql.exec.Description;
import org.apache.hadoop.hive.ql.exec.UDF;
import org.apache.hadoop.hive.ql.udf.UDFType;
import org.cipherlane.internal.SqlFunctions;

/**
 * What {@link Sm4Encrypt} made: {@code sm4_decrypt(value, key[, mode])}.
 *
 * <p>{@code CREATE FUNCTION sm4_decrypt AS 'org.cipherlane.hive.Sm4Decrypt' USING
 * JAR '…'}. The key is a reference, {@code file:PATH} or {@code env:NAME} of what runs the query,
 * for 32 hexadecimal
 * digits. NULL gives NULL.
 */
@Description(name = "sm4_decrypt",
        value = "_FUNC_(value, key[, mode]) - what sm4_encrypt made of it; fails if it does not "
                + "open",
        extended = "key: file:PATH or env:NAME, which hold 32 hexadecimal digits; mode: GCM, CBC, "
                + "ECB")
@UDFType(deterministic = true)
public final class Sm4Decrypt extends UDF {
    private static final byte[] DEFAULT = SqlFunctions.bytes("DEFAULT");
    private static final byte[] NOTHING = {};

    /** Of bytes in GCM. */
    public byte[] evaluate(byte[] value, String key) {
        return evaluate(value, key, "GCM");
    }

    /** Of bytes in a mode. */
    public byte[] evaluate(byte[] value, String key, String mode) {
        if (value == null || key == null || mode == null) {
            return null;
        }
        return SqlFunctions.sm4_decrypt(value, SqlFunctions.bytes(key), SqlFunctions.bytes(mode),
                DEFAULT, NOTHING);
    }
}
