package hefix;

import java.io.ByteArrayInputStream;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarInputStream;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;

/**
 * The classes of this package, for programs that refer to them. The compiler would ask whether it may read their file,
 * which the system denies to a process that may read it by a capability.
 */
final class Library {
    final List<JavaFileObject> classes = new ArrayList<>();

    Library(String file) throws IOException {
        try (JarInputStream in = new JarInputStream(new FileInputStream(file))) {
            for (JarEntry entry = in.getNextJarEntry(); entry != null; entry = in.getNextJarEntry())
                if (entry.getName().matches("hefix/\\w+\\.class")) classes.add(new Found(entry.getName(), in.readAllBytes()));
        }
    }

    static final class Found extends SimpleJavaFileObject {
        final String binaryName;
        private final byte[] bytes;

        Found(String path, byte[] bytes) {
            super(URI.create("memory:///" + path), Kind.CLASS);
            this.binaryName = path.substring(0, path.length() - Kind.CLASS.extension.length()).replace('/', '.');
            this.bytes = bytes;
        }

        @Override
        public InputStream openInputStream() {
            return new ByteArrayInputStream(bytes);
        }
    }
}
