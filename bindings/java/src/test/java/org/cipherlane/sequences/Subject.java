package org.cipherlane.sequences;

import java.security.Provider;
import java.security.Security;
import java.security.spec.AlgorithmParameterSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.IvParameterSpec;
import org.bouncycastle.jce.provider.BouncyCastleProvider;
import org.cipherlane.CipherlaneProvider;

/**
 * A transformation that another provider has too.
 *
 * @param keys the lengths of keys in bytes
 * @param iv the length of an IV in bytes; 0 where there is none
 * @param block what a message must be a multiple of
 */
record Subject(String name, Provider peer, int[] keys, int iv, int block) {
    static final Provider OURS = new CipherlaneProvider();
    private static final Provider SUN = Security.getProvider("SunJCE");
    private static final Provider CASTLE = new BouncyCastleProvider();

    /** Ciphers. */
    static List<Subject> ciphers() {
        var all = new ArrayList<Subject>();
        int[] aes = {16, 24, 32};
        int[] sm4 = {16};
        for (Provider peer : new Provider[] {SUN, CASTLE}) {
            modes(all, "AES", peer, aes);
        }
        modes(all, "SM4", CASTLE, sm4);
        for (String name : new String[] {"AES", "SM4"}) {
            int[] keys = name.equals("AES") ? aes : sm4;
            all.add(new Subject(name + "/CCM/NoPadding", CASTLE, keys, 12, 1));
            all.add(new Subject(name + "/CBC/ISO7816-4Padding", CASTLE, keys, 16, 1));
        }
        all.add(new Subject("ZUC-128", CASTLE, sm4, 16, 1));
        all.add(new Subject("ZUC-256", CASTLE, new int[] {32}, 25, 1));
        all.add(new Subject("HC128", CASTLE, sm4, 16, 1));
        all.add(new Subject("Salsa20", CASTLE, new int[] {16, 32}, 8, 1));
        return all;
    }

    private static void modes(List<Subject> all, String cipher, Provider peer, int[] keys) {
        all.add(new Subject(cipher + "/ECB/NoPadding", peer, keys, 0, 16));
        all.add(new Subject(cipher + "/ECB/PKCS5Padding", peer, keys, 0, 1));
        all.add(new Subject(cipher + "/CBC/NoPadding", peer, keys, 16, 16));
        all.add(new Subject(cipher + "/CBC/PKCS5Padding", peer, keys, 16, 1));
        for (String mode : new String[] {"CTR", "CFB", "CFB8", "OFB"}) {
            all.add(new Subject(cipher + "/" + mode + "/NoPadding", peer, keys, 16, 1));
        }
        all.add(new Subject(cipher + "/GCM/NoPadding", peer, keys, 12, 1));
    }

    /** MACs. */
    static List<Subject> macs() {
        int[] sm4 = {16};
        int[] aes = {16, 24, 32};
        int[] wide = {32};
        return List.of(new Subject("SM4-CMAC", CASTLE, sm4, 0, 1),
                new Subject("AESCMAC", CASTLE, aes, 0, 1),
                new Subject("SM4-GMAC", CASTLE, sm4, 12, 1),
                new Subject("AES-GMAC", CASTLE, aes, 12, 1),
                new Subject("ZUC-128", CASTLE, sm4, 16, 1),
                new Subject("ZUC-256-32", CASTLE, wide, 25, 1),
                new Subject("ZUC-256-64", CASTLE, wide, 25, 1),
                new Subject("ZUC-256-128", CASTLE, wide, 25, 1));
    }

    boolean isAead() {
        return name.contains("/GCM/") || name.contains("/CCM/");
    }

    /**
     * Whether the output may be where the input is. SunJCE's GCM then writes what it held back
     * over what it has not read: wrong bytes.
     */
    boolean inPlace() {
        return !(peer == SUN && isAead());
    }

    /**
     * Whether the output may overlap the input in another place. Bouncy Castle's stream ciphers
     * then write over what they have not read.
     */
    boolean shifted() {
        return inPlace() && name.contains("/");
    }

    /** Whether a MAC can begin its message anew. Bouncy Castle's GMAC wants an initialisation. */
    boolean resets() {
        return !name.endsWith("GMAC");
    }

    /** An IV of the right length, of a few, so that some come again. */
    AlgorithmParameterSpec parameters(Random random) {
        if (iv == 0) {
            return null;
        }
        byte[] bytes = new byte[iv];
        bytes[0] = (byte) random.nextInt(6);
        if (isAead()) {
            int[] bits = {128, 128, 128, 96, 112};
            return new GCMParameterSpec(bits[random.nextInt(bits.length)], bytes);
        }
        return new IvParameterSpec(bytes);
    }

    @Override
    public String toString() {
        return name + " beside " + peer.getName();
    }
}
