package org.cipherlane.sequences;

import java.util.List;
import java.util.regex.Pattern;

/**
 * A difference that is meant, and why. A sequence ends with one, as the two may then be in
 * different states.
 *
 * @param subject the transformation and the other provider
 * @param step what was called
 * @param ours what we gave: bytes, or an exception's class without its package
 * @param theirs the same of the other provider
 */
record Allowed(Pattern subject, Pattern step, Pattern ours, Pattern theirs, String reason) {
    private static final String ANY = ".*";

    private static final String SHORT = "ShortBufferException";
    /** A call with little room. */
    private static final String TIGHT = "(UPDATE|FINAL).* room (?!" + Step.MUCH + " ).*";

    static final List<Allowed> ALL = List.of(
            of(ANY, TIGHT, ANY, SHORT,
                    "how much room a call asks for beyond what it writes is the provider's affair"),
            of(ANY, TIGHT, SHORT, ANY,
                    "how much room a call asks for beyond what it writes is the provider's affair"),
            of(".*/(ECB|CBC)/.+[57]-?[48]?Padding beside SunJCE", "FINAL.*",
                    "IllegalBlockSizeException", "",
                    "a padded message has a block at least; SunJCE takes none for an empty one"),
            of("AES/GCM.* beside SunJCE", TIGHT, "([0-9a-f]{2})*", "AEADBadTagException",
                    "SunJCE forgets the associated data where there was too little room"),
            of("AES/GCM.* beside SunJCE", "INIT.*mode [13],.*", "\\[.*",
                    "InvalidAlgorithmParameterException",
                    "a nonce that was set and not used may be set again"),
            of("AES/GCM.* beside SunJCE", "INIT.*mode [13],.*",
                    "InvalidAlgorithmParameterException", "\\[.*",
                    "a nonce is remembered while others are set; SunJCE knows the last one set"),
            of("AES/GCM.* beside SunJCE", "INIT.*mode [24],.* null\\)",
                    "InvalidAlgorithmParameterException", "\\[.*",
                    "SunJCE draws a nonce for decrypting, which no message has"),
            of(".* beside BC", "INIT.*", "InvalidKeyException", "InvalidAlgorithmParameterException",
                    "a key of a wrong length is an InvalidKeyException, as the JCA says"),
            of(".* beside BC", "INIT.*", "InvalidAlgorithmParameterException",
                    "InvalidKeyException",
                    "a wrong IV is an InvalidAlgorithmParameterException, as the JCA says"),
            of(".*/CCM/.* beside BC", "INIT.*", "InvalidKeyException", "\\[.*",
                    "Bouncy Castle looks at the key of CCM when a message ends"),
            of(".*/CTR/.* beside BC", "INIT.*", "InvalidAlgorithmParameterException", "\\[.*",
                    "Bouncy Castle takes an IV of 8 to 15 bytes for CTR and counts in the rest"),
            of(".*/CTR/.* beside BC", "INIT.*", "\\[.*",
                    ".*InvalidKeyOrParametersException",
                    "Bouncy Castle's CTR is of no use after an IV of a wrong length"),
            of(".*/(GCM|CCM)/.* beside BC", "AAD.*", "IllegalStateException", "",
                    "associated data comes before the message, as the JCA says"),
            of(".*/(GCM|CCM)/.* beside BC", "INIT.*mode [13],.*", "\\[.*",
                    "InvalidAlgorithmParameterException",
                    "a nonce that was set and not used may be set again"),
            of(".*/(GCM|CCM)/.* beside BC", "INIT.*mode [13],.*",
                    "InvalidAlgorithmParameterException", "\\[.*",
                    "a nonce is remembered while others are set; Bouncy Castle knows the last one"),
            of(".*(/GCM/.*|GMAC) beside BC", "UPDATE \\(0 bytes.*", "IllegalStateException", "",
                    "no bytes after the end are an update too"),
            of(".*CMAC beside BC", "CLONE.*", "([0-9a-f]{2})*", "CloneNotSupportedException",
                    "a MAC without an IV can be copied"),
            of(".*GMAC beside BC", "INIT.*", "InvalidAlgorithmParameterException", "16",
                    "an IV is remembered while others are set; Bouncy Castle knows the last one"),
            of(".*GMAC beside BC", "INIT.*", "16", "InvalidAlgorithmParameterException",
                    "an IV that was set and not used may be set again"),
            of(".*/CCM/.* beside BC", "(AAD|UPDATE|FINAL).*", "IllegalStateException",
                    "([0-9a-f]{2})*",
                    "a nonce serves one message; Bouncy Castle's CCM goes on under it"),
            of("ZUC-.* beside BC", "(UPDATE|FINAL).*", "IllegalStateException", "([0-9a-f]{2})*",
                    "an IV serves one message; Bouncy Castle's MACs of ZUC go on under it"),
            of("ZUC-.* beside BC", "INIT.*", "InvalidAlgorithmParameterException", "4|8|16",
                    "an IV serves one message; Bouncy Castle's MACs of ZUC take it again"),
            of("ZUC-.* beside BC", "(UPDATE|FINAL).*", "([0-9a-f]{2})*", "IllegalStateException",
                    "Bouncy Castle's generators of ZUC have limits of their own"),
            of("ZUC-256.* beside BC", "INIT.*", "\\[.*|4|8|16",
                    "InvalidKeyException|InvalidAlgorithmParameterException",
                    "an IV of 23 bytes is one of 25 with its values of 6 bits packed"),
            of("ZUC-256 beside BC", "INIT_DRAWN.*", "\\[.*", "\\[.*",
                    "the last 8 of the 25 bytes have 6 bits each; Bouncy Castle draws 8"),
            of("ZUC-256 beside BC", "INIT.*", "InvalidAlgorithmParameterException", "\\[.*",
                    "the last 8 of the 25 bytes have 6 bits each; Bouncy Castle drops the others"));

    private static Allowed of(String subject, String step, String ours, String theirs,
            String reason) {
        return new Allowed(Pattern.compile(subject), Pattern.compile(step), Pattern.compile(ours),
                Pattern.compile(theirs), reason);
    }

    /** The one that a difference falls under; null if it is not meant. */
    static Allowed find(Subject subject, Step step, String ours, String theirs) {
        for (Allowed it : ALL) {
            if (it.subject.matcher(subject.toString()).matches()
                    && it.step.matcher(step.toString()).matches()
                    && it.ours.matcher(plain(ours)).matches()
                    && it.theirs.matcher(plain(theirs)).matches()) {
                return it;
            }
        }
        return null;
    }

    /** Without its package. */
    static String plain(String said) {
        return said.endsWith("Exception") || said.endsWith("Error")
                ? said.substring(said.lastIndexOf('.') + 1) : said;
    }
}
