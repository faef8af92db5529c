package org.cipherlane;

import java.security.InvalidAlgorithmParameterException;
import java.security.InvalidKeyException;
import java.security.Key;
import java.util.Arrays;

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

    /** The operation of a family that takes this key. */
    static Entry entry(Family family, String operation, byte[] key) throws InvalidKeyException {
        Entry entry = Entry.find(family, operation, key.length);
        if (entry == null) {
            Arrays.fill(key, (byte) 0);
            throw new InvalidKeyException(
                    family.name() + ": a key of " + key.length + " bytes is not allowed");
        }
        return entry;
    }

    static InvalidAlgorithmParameterException parameters(String name, Object got, String allowed) {
        String what = got == null ? "no parameters" : got.getClass().getName();
        return new InvalidAlgorithmParameterException(name + ": " + what + "; allowed: " + allowed);
    }
}
