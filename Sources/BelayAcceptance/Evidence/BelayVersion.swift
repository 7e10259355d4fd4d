/// Which Belay wrote a line of evidence.
public enum BelayVersion {
    /// Major, minor, patch, as in `CHANGELOG.md`.
    public static let current = "0.1.0"
}
