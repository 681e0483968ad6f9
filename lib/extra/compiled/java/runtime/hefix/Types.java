package hefix;

import java.lang.reflect.GenericArrayType;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.lang.reflect.TypeVariable;
import java.lang.reflect.WildcardType;

/** What a declared type says about a value and about the values inside. */
final class Types {
    private Types() {}

    /** Of `List<Integer>`, the first is Integer; Object where nothing is said. */
    static Type argument(Type type, int index) {
        if (type instanceof ParameterizedType given && index < given.getActualTypeArguments().length)
            return given.getActualTypeArguments()[index];
        return bound(type) == type ? Object.class : argument(bound(type), index);
    }

    static Type item(Type array) {
        if (array instanceof GenericArrayType given) return given.getGenericComponentType();
        Class<?> item = raw(array).getComponentType();
        return item == null ? Object.class : item;
    }

    static boolean holds(Type type, Object value) {
        Class<?> raw = raw(type);
        if (value == null) return !raw.isPrimitive();
        return raw.isPrimitive() ? boxed(raw) == value.getClass() : raw.isInstance(value);
    }

    private static Type bound(Type type) {
        if (type instanceof TypeVariable<?> variable) return variable.getBounds()[0];
        if (type instanceof WildcardType wildcard) return wildcard.getUpperBounds()[0];
        return type;
    }

    private static Class<?> raw(Type type) {
        if (type instanceof Class<?> plain) return plain;
        if (type instanceof ParameterizedType given) return raw(given.getRawType());
        if (type instanceof GenericArrayType array) return raw(array.getGenericComponentType()).arrayType();
        return raw(bound(type));
    }

    private static Class<?> boxed(Class<?> primitive) {
        if (primitive == int.class) return Integer.class;
        if (primitive == boolean.class) return Boolean.class;
        if (primitive == double.class) return Double.class;
        if (primitive == long.class) return Long.class;
        if (primitive == char.class) return Character.class;
        if (primitive == float.class) return Float.class;
        if (primitive == byte.class) return Byte.class;
        return primitive == short.class ? Short.class : Void.class;
    }
}
