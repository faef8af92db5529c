package org.cipherlane;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.security.AlgorithmParametersSpi;
import java.security.spec.AlgorithmParameterSpec;
import java.security.spec.InvalidParameterSpecException;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.IvParameterSpec;

/** A nonce and the length of the tag, encoded as RFC 5084 says: 12 bytes if it is left out. */
final class GcmParameters extends AlgorithmParametersSpi {
    private static final int USUAL_TAG = 12;

    private byte[] nonce = {};
    private int tag = 16;

    @Override
    protected void engineInit(AlgorithmParameterSpec given) throws InvalidParameterSpecException {
        if (!(given instanceof GCMParameterSpec)) {
            throw new InvalidParameterSpecException("allowed: GCMParameterSpec");
        }
        GCMParameterSpec it = (GCMParameterSpec) given;
        nonce = it.getIV();
        tag = it.getTLen() / 8;
    }

    @Override
    protected void engineInit(byte[] encoded) throws IOException {
        Der outer = new Der(encoded);
        Der inner = new Der(outer.value(Der.SEQUENCE));
        outer.end();
        nonce = inner.value(Der.OCTETS);
        tag = USUAL_TAG;
        if (inner.more()) {
            byte[] number = inner.value(Der.INTEGER);
            if (number.length != 1 || number[0] < 0 || number[0] > 16) {
                throw new IOException("a tag length that no mode has");
            }
            tag = number[0];
        }
        inner.end();
    }

    @Override
    protected void engineInit(byte[] encoded, String format) throws IOException {
        engineInit(encoded);
    }

    @Override
    protected <T extends AlgorithmParameterSpec> T engineGetParameterSpec(Class<T> wanted)
            throws InvalidParameterSpecException {
        if (wanted.isAssignableFrom(GCMParameterSpec.class)) {
            return wanted.cast(new GCMParameterSpec(8 * tag, nonce));
        } else if (wanted == IvParameterSpec.class) {
            return wanted.cast(new IvParameterSpec(nonce));
        }
        throw new InvalidParameterSpecException("allowed: GCMParameterSpec, IvParameterSpec");
    }

    @Override
    protected byte[] engineGetEncoded() {
        ByteArrayOutputStream inner = new ByteArrayOutputStream();
        byte[] first = Der.encode(Der.OCTETS, nonce);
        inner.write(first, 0, first.length);
        if (tag != USUAL_TAG) {
            byte[] second = Der.encode(Der.INTEGER, new byte[] {(byte) tag});
            inner.write(second, 0, second.length);
        }
        return Der.encode(Der.SEQUENCE, inner.toByteArray());
    }

    @Override
    protected byte[] engineGetEncoded(String format) {
        return engineGetEncoded();
    }

    @Override
    protected String engineToString() {
        return "a nonce of " + nonce.length + " bytes, a tag of " + tag;
    }
}
