/** What the library keeps under a key. */
interface Session {
    /** Sets a fresh key and an IV; what is null keeps what was set. */
    void start(byte[] key, byte[] iv);

    /** Processes a whole message, or the next piece of a stream. */
    void process(Message message);

    /** Whether a key alone brings it back to its beginning. */
    default boolean restarts() {
        return false;
    }
}
