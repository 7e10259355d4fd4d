import BelayCore

// The package manager links every object file of the room, called or not, so an import is enough
// to see what the room drags along.
