package org.cipherlane.spark;

import org.apache.spark.sql.api.java.UDF2;
import org.cipherlane.internal.Layout;

/**
 * Decrypts what {@link Sm4Encrypt} made; fails if a value does not open.
 *
 * <p>{@code spark.udf().register("sm4_decrypt", new Sm4Decrypt(), DataTypes.BinaryType)}, then
 * {@code sm4_decrypt(value, 'env:NAME')}. The key is given by reference, {@code file:PATH} or
 * {@code env:NAME}. The functions of the package for Python take batches and are faster.
 */
public final class Sm4Decrypt implements UDF2<byte[], String, byte[]> {
    private static final long serialVersionUID = 1;

    /** The mode. */
    private final Layout layout;

    /** In GCM. */
    public Sm4Decrypt() {
        this("GCM");
    }

    /**
     * In a mode.
     *
     * @param mode {@code GCM}, {@code CBC} or {@code ECB}
     */
    public Sm4Decrypt(String mode) {
        layout = Layout.of(mode);
    }

    @Override
    public byte[] call(byte[] value, String key) throws Exception {
        if (value == null || key == null) {
            return null;
        }
        return layout.decrypt(value, key);
    }
}
