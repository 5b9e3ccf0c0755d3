/// Writes JSON text. Strings come from files, so bytes that are not UTF-8 become U+FFFD.
public struct JSON {
  public private(set) var text: [UInt8] = []
  private var needsComma = false

  public init() {}

  /// `{ … }`, as an element or as the value of `key`.
  public mutating func object(_ key: String? = nil, _ body: (inout JSON) -> Void) { nest(key, "{", "}", body) }

  /// `[ … ]`, as an element or as the value of `key`.
  public mutating func array(_ key: String? = nil, _ body: (inout JSON) -> Void) { nest(key, "[", "]", body) }

  public mutating func value(_ key: String? = nil, _ text: some StringProtocol) {
    begin(key)
    quote(text)
  }

  public mutating func value(_ key: String? = nil, _ number: some FixedWidthInteger) {
    begin(key)
    text += String(number).utf8
  }

  public mutating func value(_ key: String? = nil, _ truth: Bool) {
    begin(key)
    text += String(truth).utf8
  }

  /// A finite number, in the shortest digits that read back to it.
  public mutating func value(_ key: String? = nil, _ number: Float) {
    begin(key)
    text += String(number).utf8
  }

  private mutating func nest(_ key: String?, _ open: String, _ close: String, _ body: (inout JSON) -> Void) {
    begin(key)
    text += open.utf8
    needsComma = false
    body(&self)
    text += close.utf8
    needsComma = true
  }

  private mutating func begin(_ key: String?) {
    if needsComma { text.append(UInt8(ascii: ",")) }
    needsComma = true
    guard let key else { return }
    quote(key)
    text.append(UInt8(ascii: ":"))
  }

  private mutating func quote(_ string: some StringProtocol) {
    text.append(UInt8(ascii: "\""))
    for byte in string.utf8 {
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"): text += [UInt8(ascii: "\\"), byte]
      case 0..<0x20: text += ("\\u00" + (byte < 16 ? "0" : "") + String(byte, radix: 16)).utf8
      default: text.append(byte)
      }
    }
    text.append(UInt8(ascii: "\""))
  }
}
