package org.cipherlane;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Paths;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;

/** Which of the native libraries in the jar is this process's. */
final class Platform {
    /** What a Linux process has in its memory, a line each; proc_pid_maps(5). */
    private static final String MAPS = "/proc/self/maps";

    /** The C library that a process runs on: one for another does not load. */
    enum CLibrary {
        GNU,
        MUSL,
        UNKNOWN
    }

    private Platform() {}

    /** The folders of libraries in the jar that may do here, the likeliest first. */
    static List<String> folders() {
        String system = system(System.getProperty("os.name"));
        String machine = machine(System.getProperty("os.arch"));
        return folders(system, machine, system.equals("linux") ? library() : CLibrary.UNKNOWN);
    }

    /** The same for a system, e.g. {@code linux-x86_64}, or {@code linux-musl-x86_64}. */
    static List<String> folders(String system, String machine, CLibrary library) {
        String usual = system + "-" + machine;
        String musl = system + "-musl-" + machine;
        if (!system.equals("linux") || library == CLibrary.GNU) {
            return Collections.singletonList(usual);
        }
        // The wrong one is not tried where the right one is known, whose error it would hide.
        return library == CLibrary.MUSL ? Collections.singletonList(musl)
                : Arrays.asList(usual, musl);
    }

    private static String system(String name) {
        String system = name.toLowerCase(Locale.ROOT);
        return system.startsWith("windows") ? "windows"
                : system.startsWith("mac") ? "macos" : system.replace(' ', '-');
    }

    private static String machine(String name) {
        String machine = name.toLowerCase(Locale.ROOT);
        switch (machine) {
            case "amd64":
                return "x86_64";
            case "arm64":
                return "aarch64";
            default:
                return machine;
        }
    }

    private static CLibrary library() {
        // Names of files need not be UTF-8; those that are looked for are ASCII.
        try (BufferedReader maps =
                Files.newBufferedReader(Paths.get(MAPS), StandardCharsets.ISO_8859_1)) {
            return library(maps);
        } catch (IOException | SecurityException unreadable) {
            return CLibrary.UNKNOWN;
        }
    }

    /**
     * The C library of a process by the files in its memory. That a loader of musl lies on the disk
     * says nothing: Debian, for one, has it as a package beside GNU's.
     */
    static CLibrary library(BufferedReader maps) throws IOException {
        for (String line = maps.readLine(); line != null; line = maps.readLine()) {
            int slash = line.lastIndexOf('/');
            if (slash < 0) {
                continue;
            }
            String file = line.substring(slash + 1);
            if (file.endsWith(" (deleted)")) {
                // Replaced by an update while the process runs.
                file = file.substring(0, file.length() - " (deleted)".length());
            }
            // Until 2.33 the file was called by its version, and libc.so.6 was a link.
            if (file.equals("libc.so.6") || file.startsWith("libc-2.")) {
                return CLibrary.GNU;
            }
            // In musl loader and library are one file; libc.so where ld-musl-*.so.1 is a link.
            // GNU's libc.so is a text for the linker, never in memory.
            if (file.startsWith("ld-musl-") || file.equals("libc.so")) {
                return CLibrary.MUSL;
            }
        }
        return CLibrary.UNKNOWN;
    }

    /**
     * Has the first library loaded that will do: {@code load} says for a folder why its one does
     * not, or null. Returns why none did, or null.
     */
    static String first(List<String> folders, Function<String, String> load) {
        StringBuilder all = new StringBuilder();
        for (String folder : folders) {
            String why = load.apply(folder);
            if (why == null) {
                return null;
            }
            all.append(all.length() == 0 ? "" : "; ").append(why);
        }
        return all.toString();
    }
}
