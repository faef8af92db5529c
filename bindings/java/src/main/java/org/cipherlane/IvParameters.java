package org.cipherlane;

import java.io.IOException;
import java.security.AlgorithmParametersSpi;
import java.security.spec.AlgorithmParameterSpec;
import java.security.spec.InvalidParameterSpecException;
import javax.crypto.spec.IvParameterSpec;

/** An IV, encoded as an OCTET STRING of DER. */
final class IvParameters extends AlgorithmParametersSpi {
    private byte[] iv = {};

    @Override
    protected void engineInit(AlgorithmParameterSpec given) throws InvalidParameterSpecException {
        if (!(given instanceof IvParameterSpec)) {
            throw new InvalidParameterSpecException("allowed: IvParameterSpec");
        }
        iv = ((IvParameterSpec) given).getIV();
    }

    @Override
    protected void engineInit(byte[] encoded) throws IOException {
        Der reader = new Der(encoded);
        iv = reader.value(Der.OCTETS);
        reader.end();
    }

    @Override
    protected void engineInit(byte[] encoded, String format) throws IOException {
        engineInit(encoded);
    }

    @Override
    protected <T extends AlgorithmParameterSpec> T engineGetParameterSpec(Class<T> wanted)
            throws InvalidParameterSpecException {
        if (!wanted.isAssignableFrom(IvParameterSpec.class)) {
            throw new InvalidParameterSpecException("allowed: IvParameterSpec");
        }
        return wanted.cast(new IvParameterSpec(iv));
    }

    @Override
    protected byte[] engineGetEncoded() {
        return Der.encode(Der.OCTETS, iv);
    }

    @Override
    protected byte[] engineGetEncoded(String format) {
        return engineGetEncoded();
    }

    @Override
    protected String engineToString() {
        return "an IV of " + iv.length + " bytes";
    }
}
