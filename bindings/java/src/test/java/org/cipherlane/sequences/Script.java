package org.cipherlane.sequences;

import java.security.GeneralSecurityException;
import java.security.spec.AlgorithmParameterSpec;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import javax.crypto.Cipher;
import javax.crypto.spec.IvParameterSpec;
import javax.crypto.spec.SecretKeySpec;
import org.cipherlane.sequences.Step.Form;
import org.cipherlane.sequences.Step.Kind;

/** Random sequences of calls: messages in pieces, and what goes wrong among them. */
final class Script {
    private static final Form[] FORMS = {Form.RETURNED, Form.ARRAYS, Form.IN_PLACE, Form.SHIFTED,
        Form.HEAP, Form.DIRECT, Form.MIXED, Form.READ_ONLY};

    private final Subject subject;
    private final Random random;
    private final List<Step> steps = new ArrayList<>();
    private final byte[][] keys = new byte[2][];

    private Script(Subject subject, long seed) {
        this.subject = subject;
        random = new Random(seed);
        for (int i = 0; i < keys.length; i++) {
            keys[i] = bytes(subject.keys()[random.nextInt(subject.keys().length)]);
        }
    }

    /** For a cipher. */
    static List<Step> ofCipher(Subject subject, long seed) {
        var script = new Script(subject, seed);
        for (int i = script.random.nextInt(4); i >= 0; i--) {
            script.message();
        }
        return script.steps;
    }

    /** For a MAC. */
    static List<Step> ofMac(Subject subject, long seed) {
        var script = new Script(subject, seed);
        for (int i = script.random.nextInt(4); i >= 0; i--) {
            script.tag();
        }
        return script.steps;
    }

    private boolean once(int in) {
        return random.nextInt(in) == 0;
    }

    private byte[] bytes(int length) {
        byte[] bytes = new byte[length];
        random.nextBytes(bytes);
        return bytes;
    }

    private int length() {
        int most = once(10) ? 5000 : once(3) ? 300 : 70;
        int length = random.nextInt(most);
        return once(30) ? length : length / subject.block() * subject.block();
    }

    private Step piece(Kind kind, byte[] data) {
        Form form = FORMS[random.nextInt(FORMS.length)];
        if (form == Form.SHIFTED && !subject.shifted()
                || form == Form.IN_PLACE && !subject.inPlace()) {
            form = Form.ARRAYS;
        }
        if (kind == Kind.FINAL && data.length == 0 && once(2)) {
            form = once(2) ? Form.NONE : Form.ARRAYS;
        }
        // An AEAD may keep all it is given: what an update needs room for is its own affair.
        boolean tight = once(20) && (kind == Kind.FINAL || !subject.isAead());
        int room = tight ? random.nextInt(48) - 40 : Step.MUCH;
        return Step.with(kind, form, data, room, random.nextInt(20));
    }

    private void start(int mode, byte[] key, AlgorithmParameterSpec parameters) {
        boolean encrypts = mode == Cipher.ENCRYPT_MODE || mode == Cipher.WRAP_MODE;
        if (once(30)) {
            steps.add(Step.init(mode, bytes(random.nextInt(40) + 1), parameters));
        } else if (once(30) && subject.iv() > 0 && !subject.isAead()) {
            steps.add(Step.init(mode, key, new IvParameterSpec(bytes(random.nextInt(40)))));
        } else if (once(15)) {
            steps.add(encrypts ? Step.drawn(mode, key) : Step.init(mode, key, null));
        }
        steps.add(Step.init(mode, key, parameters));
    }

    private void message() {
        byte[] key = keys[random.nextInt(keys.length)];
        AlgorithmParameterSpec parameters = subject.parameters(random);
        boolean decrypts = random.nextBoolean();
        if (once(12)) {
            wrapped(decrypts, key, parameters);
            return;
        }
        start(decrypts ? Cipher.DECRYPT_MODE : Cipher.ENCRYPT_MODE, key, parameters);
        byte[] aad = subject.isAead() && random.nextBoolean() ? bytes(random.nextInt(50)) : null;
        byte[] data = bytes(length());
        if (decrypts) {
            data = encrypted(key, parameters, aad, data);
            if (once(6) && data.length > 0) {
                data[random.nextInt(data.length)] ^= 1;
            }
        }
        for (int again = once(4) ? 2 : 1; again > 0; again--) {
            pieces(aad, data);
        }
    }

    private void pieces(byte[] aad, byte[] data) {
        if (aad != null) {
            int cut = random.nextInt(aad.length + 1);
            aad(Arrays.copyOf(aad, cut));
            aad(Arrays.copyOfRange(aad, cut, aad.length));
        } else if (once(40)) {
            aad(bytes(3));
        }
        int place = 0;
        while (place < data.length && !once(3)) {
            int end = Math.min(data.length, place + random.nextInt(data.length + 1));
            steps.add(piece(Kind.UPDATE, Arrays.copyOfRange(data, place, end)));
            place = end;
        }
        if (aad != null && once(20)) {
            aad(bytes(3));
        }
        if (!once(10)) {
            steps.add(piece(Kind.FINAL, Arrays.copyOfRange(data, place, data.length)));
        }
    }

    private void aad(byte[] data) {
        Form[] forms = {Form.ARRAYS, Form.RETURNED, Form.HEAP, Form.DIRECT};
        steps.add(Step.with(Kind.AAD, forms[random.nextInt(forms.length)], data, 0, 0));
    }

    private void wrapped(boolean decrypts, byte[] key, AlgorithmParameterSpec parameters) {
        byte[] data = bytes(16 * (1 + random.nextInt(3)));
        steps.add(Step.init(decrypts ? Cipher.UNWRAP_MODE : Cipher.WRAP_MODE, key, parameters));
        byte[] given = decrypts ? encrypted(key, parameters, null, data) : data;
        if (decrypts && once(4)) {
            given[random.nextInt(given.length)] ^= 1;
        }
        steps.add(Step.with(decrypts ? Kind.UNWRAP : Kind.WRAP, Form.NONE, given, 0, 0));
    }

    /** What the other provider makes of it; itself where that can't encrypt it. */
    private byte[] encrypted(byte[] key, AlgorithmParameterSpec parameters, byte[] aad,
            byte[] data) {
        try {
            Cipher cipher = Cipher.getInstance(subject.name(), subject.peer());
            var named = new SecretKeySpec(key, subject.name().split("/")[0]);
            cipher.init(Cipher.ENCRYPT_MODE, named, parameters);
            if (aad != null) {
                cipher.updateAAD(aad);
            }
            return cipher.doFinal(data);
        } catch (GeneralSecurityException | RuntimeException unfit) {
            return data;
        }
    }

    private void tag() {
        start(Cipher.ENCRYPT_MODE, keys[random.nextInt(keys.length)], subject.parameters(random));
        for (int again = once(3) ? 2 : 1; again > 0; again--) {
            while (!once(3)) {
                Form[] forms = {Form.NONE, Form.RETURNED, Form.ARRAYS, Form.HEAP, Form.DIRECT};
                Form form = forms[random.nextInt(forms.length)];
                byte[] data = form == Form.NONE ? bytes(1) : bytes(length());
                steps.add(Step.with(Kind.UPDATE, form, data, 0, random.nextInt(20)));
                if (subject.resets() && once(8)) {
                    Kind kind = subject.iv() == 0 && once(2) ? Kind.CLONE : Kind.RESET;
                    steps.add(Step.with(kind, Form.NONE, new byte[0], 0, 0));
                }
            }
            Form[] ends = {Form.NONE, Form.RETURNED, Form.ARRAYS};
            steps.add(Step.with(Kind.FINAL, ends[random.nextInt(ends.length)], bytes(length()),
                    once(10) ? -1 - random.nextInt(4) : random.nextInt(3), random.nextInt(20)));
        }
    }
}
