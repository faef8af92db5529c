package org.cipherlane.internal;

import java.lang.ref.PhantomReference;
import java.lang.ref.ReferenceQueue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * When objects of the native half are freed, on Java 8 as well, which has neither
 * {@code java.lang.ref.Cleaner} nor {@code Reference.reachabilityFence}. Of the jar's own classes
 * only.
 */
public final class Reach {
    private static final ReferenceQueue<Object> GONE = new ReferenceQueue<>();
    /** A reference that nothing holds is never queued. */
    private static final Set<Kept> ALL = ConcurrentHashMap.newKeySet();
    /** Never anything; a compiler can't know that. */
    private static volatile Object none;

    static {
        Thread thread = new Thread(Reach::free, "cipherlane-free");
        thread.setDaemon(true);
        // What loaded the jar is not to be held by this thread.
        thread.setContextClassLoader(null);
        thread.start();
    }

    private Reach() {}

    private static final class Kept extends PhantomReference<Object> {
        private final Runnable free;

        Kept(Object owner, Runnable free) {
            super(owner, GONE);
            this.free = free;
        }
    }

    private static void free() {
        while (true) {
            try {
                Kept kept = (Kept) GONE.remove();
                ALL.remove(kept);
                kept.free.run();
            } catch (InterruptedException again) {
                // Nobody has a reason to end this thread: what is left would never be freed.
                continue;
            }
        }
    }

    /**
     * Runs something once an object can't be reached any more, in a thread of its own.
     *
     * @param owner the object
     * @param free what is run; it must not hold the object
     */
    public static void whenGone(Object owner, Runnable free) {
        ALL.add(new Kept(owner, free));
    }

    /**
     * Keeps an object reachable until here, whatever the compiler makes of the code before: the
     * comparison needs its reference, and can't be made before what stands in front of it.
     *
     * @param object the object
     */
    public static void keep(Object object) {
        if (object != null && object == none) {
            throw new IllegalStateException("no object is this one");
        }
    }
}
