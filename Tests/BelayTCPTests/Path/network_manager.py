"""What NetworkManager says of metering on a bus, by the word of a test: Debian's python3-dbus.

Usage: /usr/bin/python3 network_manager.py serve N|TEXT|silent|refusing|empty
           takes the name, and says N, or a text where a number belongs, or nothing, or no
       /usr/bin/python3 network_manager.py forge N
           tells everybody on the bus that it is N, and that the name is this program's

The bus is DBUS_SYSTEM_BUS_ADDRESS. While it serves, others call the interface test.Manager:
Say(u), SayText(s), Withdraw(u), SayOther().
"""

import sys

import dbus
import dbus.lowlevel
import dbus.mainloop.glib
import dbus.service
from gi.repository import GLib

NAME = "org.freedesktop.NetworkManager"
PATH = "/org/freedesktop/NetworkManager"
PROPERTIES = "org.freedesktop.DBus.Properties"
TEST = "test.Manager"


def value_of(word):
    return dbus.UInt32(int(word)) if word.isdigit() else dbus.String(word)


class Manager(dbus.service.Object):
    def __init__(self, bus, word):
        self.word = word
        self.value = value_of(word)
        super().__init__(bus, PATH)

    @dbus.service.method(PROPERTIES, "ss", "v", async_callbacks=("give", "refuse"))
    def Get(self, interface, name, give, refuse):
        if (interface, name) != (NAME, "Metered") or self.word == "refusing":
            refuse(dbus.DBusException("no", name="org.freedesktop.DBus.Error.AccessDenied"))
        elif self.word != "silent":
            give(self.value)

    @dbus.service.signal(PROPERTIES, "sa{sv}as")
    def PropertiesChanged(self, interface, changed, withdrawn):
        pass

    @dbus.service.method(TEST, "u")
    def Say(self, number):
        self.value = number
        # Among others, as NetworkManager tells them.
        changed = {"Connectivity": dbus.UInt32(4), "Metered": number, "Version": dbus.String("1")}
        self.PropertiesChanged(NAME, changed, ["Devices"])

    @dbus.service.method(TEST, "s")
    def SayText(self, text):
        self.value = text
        self.PropertiesChanged(NAME, {"Metered": text}, [])

    @dbus.service.method(TEST, "u")
    def Withdraw(self, next):
        self.value = next
        self.PropertiesChanged(NAME, {}, ["Metered"])

    @dbus.service.method(TEST)
    def SayOther(self):
        self.PropertiesChanged(NAME, {"Connectivity": dbus.UInt32(1)}, [])


def forge(bus, number):
    """Signals to one receiver, which pass by what it told the bus that it wants to hear."""
    me = bus.get_unique_name()
    values = dbus.Dictionary({"Metered": dbus.UInt32(number)}, signature="sv")
    said = (PATH, PROPERTIES, "PropertiesChanged"), "sa{sv}as", (NAME, values, [])
    owned = ("/org/freedesktop/DBus", "org.freedesktop.DBus", "NameOwnerChanged"), "sss", (
        NAME, "", me)
    for name in bus.list_names():
        if not name.startswith(":") or name == me:
            continue
        # More than is taken in a turn.
        for place, signature, content in (said, owned, said) * 50:
            message = dbus.lowlevel.SignalMessage(*place)
            message.append(*content, signature=signature)
            message.set_destination(name)
            bus.send_message(message)
    bus.flush()


dbus.mainloop.glib.DBusGMainLoop(set_as_default=True)
bus = dbus.SystemBus()
if sys.argv[1] == "forge":
    forge(bus, int(sys.argv[2]))
else:
    manager = Manager(bus, sys.argv[2])
    name = dbus.service.BusName(NAME, bus, do_not_queue=True)
    print("serving", flush=True)
    GLib.MainLoop().run()
