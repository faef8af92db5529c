package org.cipherlane.spark;

import org.apache.spark.sql.api.java.UDF2;
import org.cipherlane.internal.Layout;

/**
 * Encrypts a value by SM4 as Spark's {@code aes_encrypt} does by AES: IV, ciphertext and tag.
 *
 * <p>{@code spark.udf().register("sm4_encrypt", new Sm4Encrypt(), DataTypes.BinaryType)}, then
 * {@code sm4_encrypt(value, 'env:NAME')}. The key is given by reference, {@code file:PATH} or
 * {@code env:NAME}. The functions of the package for Python take batches and are faster.
 */
public final class Sm4Encrypt implements UDF2<byte[], String, byte[]> {
    private static final long serialVersionUID = 1;

    /** The mode. */
    private final Layout layout;

    /** In GCM. */
    public Sm4Encrypt() {
        this("GCM");
    }

    /**
     * In a mode.
     *
     * @param mode {@code GCM}, {@code CBC} or {@code ECB}
     */
    public Sm4Encrypt(String mode) {
        layout = Layout.of(mode);
    }

    @Override
    public byte[] call(byte[] value, String key) throws Exception {
        if (value == null || key == null) {
            return null;
        }
        return layout.encrypt(value, key);
    }
}
