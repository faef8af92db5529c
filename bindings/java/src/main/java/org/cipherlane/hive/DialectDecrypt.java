package org.cipherlane.hive;

import org.apache.hadoop.hive.ql.exec.Description;
import org.apache.hadoop.hive.ql.exec.UDF;
import org.apache.hadoop.hive.ql.udf.UDFType;
import org.cipherlane.internal.SqlFunctions;

/**
 * What another engine stored:
 * {@code dialect_decrypt(dialect, value, key[, options])} for Hive and Impala.
 *
 * <p>{@code CREATE FUNCTION dialect_decrypt AS 'org.cipherlane.hive.DialectDecrypt' USING
 * JAR '…'}. The key is a reference, {@code file:PATH} or {@code env:NAME} of what runs the query:
 * arguments stand in plans
 * and logs. Options are those of {@link org.cipherlane.dialects.Codec.Builder#options}. NULL gives
 * NULL.
 */
@Description(name = "dialect_decrypt",
        value = "_FUNC_(dialect, value, key[, options]) - what another engine stored; fails if "
                + "it does not open",
        extended = "key: file:PATH or env:NAME, which hold the key as the engine's user gives it")
@UDFType(deterministic = true)
public final class DialectDecrypt extends UDF {
    /** Of bytes, with the engine's own choice of all else. */
    public byte[] evaluate(String dialect, byte[] value, String key) {
        return evaluate(dialect, value, key, "");
    }

    /** Of text. */
    public byte[] evaluate(String dialect, String value, String key) {
        return evaluate(dialect, value, key, "");
    }

    /** Of text with options. */
    public byte[] evaluate(String dialect, String value, String key, String options) {
        return value == null ? null
                : evaluate(dialect, SqlFunctions.bytes(value), key, options);
    }

    /** Of bytes with options. */
    public byte[] evaluate(String dialect, byte[] value, String key, String options) {
        if (dialect == null || value == null || key == null || options == null) {
            return null;
        }
        return SqlFunctions.dialect_decrypt(SqlFunctions.bytes(dialect), value,
                SqlFunctions.bytes(key), SqlFunctions.bytes(options));
    }
}
