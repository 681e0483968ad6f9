package hefix;

import java.io.DataInputStream;
import java.io.FileInputStream;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;

/** Loads classes from the file that Compiler writes: the number of classes, then name, length and bytes of each. */
final class Classes extends ClassLoader {
    private final Map<String, byte[]> classes = new HashMap<>();

    Classes(String file) throws IOException {
        super(Classes.class.getClassLoader());
        byte[] bytes;
        try (FileInputStream stream = new FileInputStream(file)) {
            bytes = stream.readAllBytes();
        }
        DataInputStream in = new DataInputStream(new java.io.ByteArrayInputStream(bytes));
        for (int left = in.readInt(); left > 0; left--) {
            String name = in.readUTF();
            classes.put(name, in.readNBytes(in.readInt()));
        }
    }

    @Override
    protected Class<?> findClass(String name) throws ClassNotFoundException {
        byte[] bytes = classes.get(name);
        if (bytes == null) throw new ClassNotFoundException(name);
        return defineClass(name, bytes, 0, bytes.length);
    }
}
