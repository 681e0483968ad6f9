package hefix;

import java.lang.reflect.Array;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;

/** Values as people write them in Java, shortened: `"a"`, `[1, 2]`, `{"a": 1}`. */
final class Show {
    private static final int MAX_LENGTH = 1000;
    private static final int MAX_ITEMS = 100;

    private Show() {}

    static String value(Object value) {
        StringBuilder text = new StringBuilder();
        show(text, value);
        return text.length() > MAX_LENGTH ? text.substring(0, MAX_LENGTH) + "…" : text.toString();
    }

    static String call(String name, Object[] arguments) {
        StringBuilder text = new StringBuilder(name).append('(');
        for (int i = 0; i < arguments.length; i++) text.append(i == 0 ? "" : ", ").append(value(arguments[i]));
        return text.append(')').toString();
    }

    private static void show(StringBuilder text, Object value) {
        if (text.length() > MAX_LENGTH) return;
        if (value instanceof String || value instanceof StringBuilder) quote(text, value.toString(), '"');
        else if (value instanceof Character) quote(text, value.toString(), '\'');
        else if (value instanceof Long) text.append(value).append('L');
        else if (value instanceof Float) text.append(value).append('f');
        else if (value instanceof Collection<?> items) items(text, items.toArray());
        else if (value instanceof Map<?, ?> entries) entries(text, entries);
        else if (value instanceof Optional<?> optional) {
            text.append(optional.isPresent() ? "Optional.of(" : "Optional.empty(");
            optional.ifPresent(found -> show(text, found));
            text.append(')');
        } else if (value != null && value.getClass().isArray()) items(text, boxed(value));
        else text.append(value);
    }

    private static Object[] boxed(Object array) {
        Object[] items = new Object[Math.min(Array.getLength(array), MAX_ITEMS + 1)];
        for (int i = 0; i < items.length; i++) items[i] = Array.get(array, i);
        return items;
    }

    private static void items(StringBuilder text, Object[] items) {
        text.append('[');
        for (int i = 0; i < items.length && i < MAX_ITEMS; i++) {
            text.append(i == 0 ? "" : ", ");
            show(text, items[i]);
        }
        text.append(items.length > MAX_ITEMS ? ", …]" : "]");
    }

    private static void entries(StringBuilder text, Map<?, ?> entries) {
        text.append('{');
        int count = 0;
        for (Map.Entry<?, ?> entry : entries.entrySet()) {
            if (count++ == MAX_ITEMS) break;
            text.append(count == 1 ? "" : ", ");
            show(text, entry.getKey());
            text.append(": ");
            show(text, entry.getValue());
        }
        text.append('}');
    }

    private static void quote(StringBuilder text, String value, char mark) {
        text.append(mark);
        for (int i = 0; i < value.length() && i < MAX_LENGTH; i++) {
            char character = value.charAt(i);
            if (character == '\n') text.append("\\n");
            else if (character == '\t') text.append("\\t");
            else if (character == mark || character == '\\') text.append('\\').append(character);
            else if (character < ' ' || Character.isSurrogate(character)) text.append(String.format("\\u%04x", (int) character));
            else text.append(character);
        }
        text.append(mark);
    }
}
