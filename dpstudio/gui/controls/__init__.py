"""Controls of declared parameters, and what every form of the window is built of.

`style` lays widgets out and names them, `entry` reads a number as people write it and says why it is refused, `kinds`
has one control for each kind of parameter, `panel` stands them in a column. It knows parameters and the theme, and
neither documents nor pictures but for notes on these. Begin with `control`.
"""
