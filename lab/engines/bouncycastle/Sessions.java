import java.util.Arrays;
import java.util.function.Function;
import org.bouncycastle.crypto.BlockCipher;
import org.bouncycastle.crypto.CipherParameters;
import org.bouncycastle.crypto.InvalidCipherTextException;
import org.bouncycastle.crypto.Mac;
import org.bouncycastle.crypto.MultiBlockCipher;
import org.bouncycastle.crypto.StreamCipher;
import org.bouncycastle.crypto.modes.AEADCipher;
import org.bouncycastle.crypto.params.AEADParameters;
import org.bouncycastle.crypto.params.KeyParameter;
import org.bouncycastle.crypto.params.ParametersWithIV;

/** The kinds of sessions over the lightweight interface. */
final class Sessions {
    private Sessions() {}

    /** How a cipher takes its key. */
    interface Keys extends Function<byte[], CipherParameters> {}

    /** ECB and CBC: block by block. */
    static final class Blocks implements Session {
        private final BlockCipher cipher;
        private final boolean encrypt;
        private final boolean hasIv;
        private final Keys keys;

        Blocks(BlockCipher cipher, boolean encrypt, boolean hasIv, Keys keys) {
            this.cipher = cipher;
            this.encrypt = encrypt;
            this.hasIv = hasIv;
            this.keys = keys;
        }

        @Override
        public void start(byte[] key, byte[] iv) {
            CipherParameters parameters = key == null ? null : keys.apply(key);
            if (hasIv) {
                byte[] vector = iv == null ? new byte[cipher.getBlockSize()] : iv;
                // Without a key it keeps what was set.
                cipher.init(encrypt, new ParametersWithIV(parameters, vector));
            } else if (parameters != null) {
                cipher.init(encrypt, parameters);
            }
        }

        @Override
        public void process(Message message) {
            byte[] input = message.input;
            int block = cipher.getBlockSize();
            if (cipher instanceof MultiBlockCipher many) {
                many.processBlocks(input, 0, input.length / block, message.output, 0);
                return;
            }
            for (int place = 0; place < input.length; place += block) {
                cipher.processBlock(input, place, message.output, place);
            }
        }
    }

    /** CTR, CFB and OFB, which are stream ciphers over a block cipher. */
    static final class Feedback implements Session {
        private final StreamCipher cipher;
        private final boolean encrypt;
        private final int block;
        private final Keys keys;

        Feedback(StreamCipher cipher, boolean encrypt, int block, Keys keys) {
            this.cipher = cipher;
            this.encrypt = encrypt;
            this.block = block;
            this.keys = keys;
        }

        @Override
        public void start(byte[] key, byte[] iv) {
            CipherParameters parameters = key == null ? null : keys.apply(key);
            byte[] vector = iv == null ? new byte[block] : iv;
            cipher.init(encrypt, new ParametersWithIV(parameters, vector));
        }

        @Override
        public void process(Message message) {
            cipher.processBytes(message.input, 0, message.input.length, message.output, 0);
        }
    }

    /** A stream cipher, whose key is given with every IV. */
    static final class Keystream implements Session {
        private final StreamCipher cipher;
        private final Function<byte[], byte[]> vector;
        private KeyParameter key;

        Keystream(StreamCipher cipher, Function<byte[], byte[]> vector) {
            this.cipher = cipher;
            this.vector = vector;
        }

        @Override
        public void start(byte[] fresh, byte[] iv) {
            if (fresh != null) {
                key = new KeyParameter(fresh);
            }
            boolean alone = iv == null || iv.length == 0;
            cipher.init(true, alone ? key : new ParametersWithIV(key, vector.apply(iv)));
        }

        @Override
        public void process(Message message) {
            cipher.processBytes(message.input, 0, message.input.length, message.output, 0);
        }

        @Override
        public boolean restarts() {
            return true;
        }
    }

    /** A MAC; one without an IV is ready for the next message after each. */
    static final class Tag implements Session {
        private final Mac mac;
        private final Keys keys;
        private final Function<byte[], byte[]> vector;
        private CipherParameters key;

        Tag(Mac mac, Keys keys, Function<byte[], byte[]> vector) {
            this.mac = mac;
            this.keys = keys;
            this.vector = vector;
        }

        @Override
        public void start(byte[] fresh, byte[] iv) {
            if (fresh != null) {
                key = keys.apply(fresh);
            }
            boolean alone = iv == null || iv.length == 0;
            mac.init(alone ? key : new ParametersWithIV(key, vector.apply(iv)));
        }

        @Override
        public void process(Message message) {
            mac.update(message.input, 0, message.input.length);
            mac.doFinal(message.tag, 0);
        }
    }

    /** GCM and CCM. */
    static final class Sealing implements Session {
        private final AEADCipher cipher;
        private final int tagBits;
        /** The key, where the cipher wants it again with every nonce. */
        private final boolean keyEachTime;
        private KeyParameter key;
        private byte[] last;

        Sealing(AEADCipher cipher, int tagBits, boolean keyEachTime) {
            this.cipher = cipher;
            this.tagBits = tagBits;
            this.keyEachTime = keyEachTime;
        }

        @Override
        public void start(byte[] fresh, byte[] nonce) {
            if (fresh != null) {
                key = new KeyParameter(fresh);
            }
            KeyParameter again = keyEachTime ? key : null;
            if (Arrays.equals(nonce, last)) {
                // GCM refuses the nonce of the message before, which the ring brings again.
                byte[] other = nonce.clone();
                other[0] ^= 1;
                cipher.init(true, new AEADParameters(again, tagBits, other));
            }
            cipher.init(true, new AEADParameters(fresh == null ? again : key, tagBits, nonce));
            last = nonce;
        }

        @Override
        public void process(Message message) {
            byte[] output = message.output;
            if (message.aad.length > 0) {
                cipher.processAADBytes(message.aad, 0, message.aad.length);
            }
            int written = cipher.processBytes(message.input, 0, message.length, output, 0);
            try {
                cipher.doFinal(output, written);
            } catch (InvalidCipherTextException impossible) {
                throw new IllegalStateException(impossible);
            }
        }
    }
}
