package org.cipherlane;

import java.security.InvalidAlgorithmParameterException;
import java.security.InvalidParameterException;
import java.security.SecureRandom;
import java.security.spec.AlgorithmParameterSpec;
import java.util.Arrays;
import java.util.stream.Collectors;
import javax.crypto.KeyGeneratorSpi;
import javax.crypto.SecretKey;
import javax.crypto.spec.SecretKeySpec;

/** Random keys. */
final class KeyGeneratorImpl extends KeyGeneratorSpi {
    private final Family family;
    private int length;
    /** The system's where none is given. */
    private SecureRandom random;

    KeyGeneratorImpl(Family family) {
        this.family = family;
        Entry first = family.entries().get(0);
        length = (int) Math.min(Math.max(first.keyLeast(), 16), first.keyMost());
    }

    @Override
    protected void engineInit(SecureRandom source) {
        random = source;
    }

    @Override
    protected void engineInit(AlgorithmParameterSpec parameters, SecureRandom source)
            throws InvalidAlgorithmParameterException {
        throw Keys.parameters(family.name(), parameters, "a size in bits");
    }

    @Override
    protected void engineInit(int bits, SecureRandom source) {
        boolean takes = bits > 0 && bits % 8 == 0 && (family.anyKey() || family.entries().stream()
                .anyMatch(entry -> entry.takesKey(bits / 8)));
        if (!takes) {
            throw new InvalidParameterException(
                    family.name() + ": keys of " + bits + " bits; allowed, in bytes: " + allowed());
        }
        length = bits / 8;
        engineInit(source);
    }

    private String allowed() {
        return family.entries().stream().map(Entry::keys).distinct()
                .collect(Collectors.joining(", "));
    }

    @Override
    protected SecretKey engineGenerateKey() {
        byte[] bytes = new byte[length];
        Drawn.fill(bytes, random);
        try {
            return new SecretKeySpec(bytes, family.name());
        } finally {
            Arrays.fill(bytes, (byte) 0);
        }
    }
}
