package org.cipherlane;

import java.security.InvalidAlgorithmParameterException;
import java.security.InvalidKeyException;
import java.security.Key;

/** Keys as bytes. */
final class Keys {
    private Keys() {}

    static byte[] bytes(Key key) throws InvalidKeyException {
        byte[] bytes = key == null ? null : key.getEncoded();
        if (bytes == null) {
            throw new InvalidKeyException("a key without an encoding; allowed: a SecretKey");
        }
        return bytes;
    }

    static InvalidAlgorithmParameterException parameters(String name, Object got, String allowed) {
        String what = got == null ? "no parameters" : got.getClass().getName();
        return new InvalidAlgorithmParameterException(name + ": " + what + "; allowed: " + allowed);
    }
}
